/**
 * The reasons of all Events that the operator writes. Users see their texts: the reasons that
 * external-provisioner, external-resizer, external-snapshotter or LVMS wrote before us keep the
 * same words.
 *
 * <pre>{@code
 * events.record(claim, EventReason.RESIZING, "External resizer is resizing volume " + name);
 * }</pre>
 *
 * <p>The notes are written where the Event is recorded; the node agent has reasons of its own.
 */
package lvms.operator.event;
