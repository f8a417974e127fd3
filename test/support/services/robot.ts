import { execFileSync } from "node:child_process";

function isInstalled(): boolean {
  try {
    execFileSync("sh", ["-c", "command -v robot"]);
    return true;
  } catch {
    return false;
  }
}

/** Whether this machine has Robot Framework on PATH; tests that need it are skipped without it. */
export const hasRobot = isInstalled();
if (!hasRobot) console.log("skipped: tests with Robot Framework; this machine has none on PATH");

/** A suite without further libraries: one test looks at the page, one at the API. */
export const robotSuite = `*** Settings ***
Library    Process

*** Test Cases ***
Users can be listed
    \${text}=    Read    \${API}/api/users
    Should Contain    \${text}    Ann

The page is served
    \${text}=    Read    \${BASE_URL}/
    Should Contain    \${text}    <title>\${TITLE}</title>    msg=another title    values=False

Not today
    Skip    later

*** Keywords ***
Read
    [Arguments]    \${url}
    \${result}=    Run Process    python3    -c    import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())    \${url}
    RETURN    \${result.stdout}
`;
