/**
 * How a StorageClass shapes the filesystems of its volumes: the operator refuses what no node would
 * do, and the node, which makes the filesystem at the first publication, reads the same text again.
 *
 * <pre>{@code
 * var options = MkfsOptions.of("ext4", "-b 1024 -m 1");
 * assert options.words().equals(List.of("-b", "1024", "-m", "1"));
 * }</pre>
 *
 * <p>Begin with {@link lvms.api.filesystem.MkfsOptions}. The programs themselves, and what they are
 * always called with, are in {@code lvms.node.csi}.
 */
package lvms.api.filesystem;
