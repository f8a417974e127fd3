/**
 * The only script of the App's pages, on the page of a run that is under way: it asks for the page again when the App
 * reports a change, and announces the new status. Without it the page is loaded again every 30 seconds.
 */
export const liveScript = `
addEventListener("DOMContentLoaded",()=>{
const status=document.createElement("p");status.className="hidden";status.role="status";document.body.append(status);
const source=new EventSource(location.pathname+"/events");
const show=async()=>{const answer=await fetch(location.href);if(!answer.ok)return;
const next=new DOMParser().parseFromString(await answer.text(),"text/html").querySelector("main");if(!next)return;
document.querySelector("main").replaceWith(next);
const word=next.querySelector(".word")?.textContent.trim();if(word!==status.textContent)status.textContent=word};
source.onmessage=show;
source.addEventListener("over",()=>{source.close();show()})});
`.replaceAll("\n", "");
