/**
 * The reasons of all Events that the operator writes. Their texts are part of what users see: the
 * ones that external-provisioner, external-resizer, external-snapshotter or LVMS wrote before us
 * keep the same word.
 *
 * <pre>{@code
 * events.record(claim, EventReason.RESIZING, "External resizer is resizing volume " + name);
 * }</pre>
 *
 * <p>The notes are written where the Event is recorded; the node agent has reasons of its own.
 */
package lvms.operator.event;
