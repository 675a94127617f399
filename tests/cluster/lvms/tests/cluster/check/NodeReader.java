package lvms.tests.cluster.check;

import lvms.lvm2.filesystem.MountTable;
import lvms.tests.cluster.ClusterNode;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads a node with one script. Where the host has no LVM, that in the node agent's container
 * serves.
 */
final class NodeReader {
    private static final String MARK = "=== ";
    private static final String SCRIPT =
            """
            set -eu
            inside=
            if ! lvm version >/dev/null 2>&1; then
                for process in /proc/[0-9]*; do
                    if tr '\\0' ' ' <"$process/cmdline" 2>/dev/null | grep -q '[v]gmanager'; then
                        inside="nsenter --mount --target ${process#/proc/}"
                    fi
                done
            fi
            conf='activation {udev_sync=0 udev_rules=0 monitoring=0}'
            echo '=== groups'
            $inside lvm vgs --config "$conf" --reportformat json --units b --nosuffix \\
                --options vg_name,vg_uuid,vg_free,vg_tags
            echo '=== volumes'
            $inside lvm lvs --config "$conf" --all --reportformat json --units b --nosuffix \\
                --options lv_name,lv_uuid,vg_name,lv_size,segtype,pool_lv,lv_tags,\\
            origin,origin_size,lv_kernel_major,lv_kernel_minor
            echo '=== devices'
            $inside dmsetup info --columns --noheadings --separator '|' \\
                --options name,uuid,suspended
            echo '=== mounts'
            cat /proc/1/mountinfo
            echo '=== loops'
            for file in /sys/block/loop*/loop/backing_file; do
                [ ! -e "$file" ] || echo "$(echo "$file" | cut -d/ -f4) $(cat "$file")"
            done
            echo '=== paths'
            find /var/lib/kubelet/pods/*/volumes/kubernetes.io~csi \\
                -mindepth 1 -maxdepth 1 2>/dev/null || true
            find /var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices \\
                -mindepth 1 -maxdepth 3 2>/dev/null || true
            find /var/lib/kubelet/plugins/kubernetes.io/csi/topolvm.io \\
                -mindepth 2 -maxdepth 2 2>/dev/null || true
            """;

    private NodeReader() {}

    static NodeView read(ClusterNode node) throws IOException {
        var parts = parts(node.shell(SCRIPT));
        return new NodeView(
                node.name(),
                NodeView.groups(parts.get("groups")),
                NodeView.volumes(parts.get("volumes")),
                NodeView.devices(parts.get("devices")),
                MountTable.parse(parts.get("mounts")),
                loops(parts.get("loops")),
                parts.get("paths").lines().toList());
    }

    private static Map<String, String> parts(String output) {
        var parts = new HashMap<String, String>();
        for (var part : (System.lineSeparator() + output).split("\n" + MARK)) {
            int end = part.indexOf('\n');
            parts.put(end < 0 ? part : part.substring(0, end), end < 0 ? "" : part.substring(end));
        }
        return parts;
    }

    private static Map<String, String> loops(String text) {
        var loops = new HashMap<String, String>();
        text.lines()
                .map(line -> line.split(" ", 2))
                .filter(words -> words.length == 2)
                .forEach(words -> loops.put(words[0], words[1]));
        return loops;
    }
}
