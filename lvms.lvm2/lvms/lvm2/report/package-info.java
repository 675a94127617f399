/**
 * What LVM prints, and what it means: the JSON of a reply ({@link lvms.lvm2.report.CommandOutput}),
 * the columns of its reports, and the kinds of failures. Pure functions of text; only {@code
 * lvms.lvm2.command} runs anything.
 */
package lvms.lvm2.report;
