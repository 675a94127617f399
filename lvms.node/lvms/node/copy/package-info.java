/**
 * Fills new thick volumes with the content of a snapshot or of another volume, block by block, in
 * the background. Whoever needs the volume asks again until it is filled.
 *
 * <p>Begin with {@link lvms.node.copy.VolumeCopying}. That a volume is not filled yet, and how far
 * it is, is written in LVM as tags, so a process that was killed is followed by one that goes on.
 *
 * <pre>{@code
 * var copying = new VolumeCopying(groups, erasures, keeper, formats, VolumeCopying.NOTING);
 * var filled = copying.filled(target, new CopySource.Snapshot("snapshot-1"), rateBytes);
 * }</pre>
 *
 * <p>The pace, and the threads, are those of {@code lvms.node.erasure}.
 */
package lvms.node.copy;
