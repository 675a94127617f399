package lvms.lvm2.label;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A volume group as its metadata on a disk describes it, whether LVM lists that disk or not.
 *
 * @param name name of the group
 * @param uuid LVM's UUID of the group
 * @param tags tags of the group
 * @param volumes its visible logical volumes
 * @param messages what its thin pools still have to be told, in the order of the text
 */
public record GroupText(
        String name,
        String uuid,
        Set<String> tags,
        List<Volume> volumes,
        List<PoolMessage> messages) {
    // Source: LVM's format_text/export.c writes it, config/config.c reads it.
    private static final Pattern TOKEN =
            Pattern.compile("#[^\n]*|\"(?:\\\\.|[^\"\\\\])*\"|[{}\\[\\],=]|[^\\s{}\\[\\],=\"#]+");

    public GroupText {
        tags = Set.copyOf(tags);
        volumes = List.copyOf(volumes);
        messages = List.copyOf(messages);
    }

    /**
     * A logical volume of the group.
     *
     * @param name name without the group's
     * @param tags tags of the volume
     * @param pool whether it is a thin pool, which holds nothing by itself
     */
    public record Volume(String name, Set<String> tags, boolean pool) {
        public Volume {
            tags = Set.copyOf(tags);
        }
    }

    /**
     * A message that LVM sends to the kernel's thin pool once the metadata are written, and then
     * strikes out.
     *
     * @param pool name of the pool
     * @param created name of the volume to be made; empty if a device is to be deleted
     */
    public record PoolMessage(String pool, String created) {}

    /**
     * Reads metadata as LVM writes it to a metadata area or a file of {@code vgcfgbackup}.
     *
     * @throws IllegalArgumentException if it is not that
     */
    public static GroupText parse(String text) {
        var reader = new Reader();
        TOKEN.matcher(text)
                .results()
                .map(token -> token.group())
                .filter(token -> !token.startsWith("#"))
                .forEach(reader::take);
        return reader.result();
    }

    /** Follows the sections; a value belongs to the key before it. */
    private static final class Reader {
        private final ArrayDeque<String> sections = new ArrayDeque<>();
        private final Set<String> tags = new HashSet<>();
        private final List<Volume> volumes = new ArrayList<>();
        private final List<PoolMessage> messages = new ArrayList<>();
        private Set<String> volumeTags = new HashSet<>();
        private boolean visible;
        private boolean pool;
        private String created = "";
        private String name = "";
        private String uuid = "";
        private String word = "";
        private String key = "";

        void take(String token) {
            switch (token) {
                case "{" -> open();
                case "}" -> close();
                case "=" -> key = word;
                case "[", "]", "," -> {}
                default -> {
                    if (token.startsWith("\"")) {
                        value(token.substring(1, token.length() - 1));
                    } else {
                        word = token;
                    }
                }
            }
        }

        private void open() {
            sections.addLast(word);
            if (sections.size() == 1) {
                name = word;
            }
        }

        private void close() {
            if (sections.isEmpty()) {
                throw new IllegalArgumentException("a section ends that did not begin");
            }
            if (inVolumes(3)) {
                if (visible) {
                    volumes.add(new Volume(sections.getLast(), volumeTags, pool));
                }
                volumeTags = new HashSet<>();
                visible = false;
                pool = false;
            } else if (inMessage()) {
                messages.add(new PoolMessage(section(2), created));
                created = "";
            }
            sections.removeLast();
        }

        private boolean inVolumes(int depth) {
            return sections.size() == depth && section(1).equals("logical_volumes");
        }

        /** Below a segment of a pool. */
        private boolean inMessage() {
            return inVolumes(5) && sections.getLast().startsWith("message");
        }

        private String section(int depth) {
            return sections.stream().skip(depth).findFirst().orElseThrow();
        }

        private void value(String text) {
            if (sections.size() == 1 && key.equals("id")) {
                uuid = text;
            } else if (sections.size() == 1 && key.equals("tags")) {
                tags.add(text);
            } else if (inVolumes(3) && key.equals("tags")) {
                volumeTags.add(text);
            } else if (inVolumes(3) && key.equals("status")) {
                visible |= text.equals("VISIBLE");
            } else if (inVolumes(4) && key.equals("type")) { // of a segment
                pool |= text.equals("thin-pool");
            } else if (inMessage() && key.equals("create")) {
                created = text;
            }
        }

        GroupText result() {
            if (!sections.isEmpty() || name.isEmpty() || uuid.isEmpty()) {
                throw new IllegalArgumentException("it has no name, no id, or is cut short");
            }
            return new GroupText(name, uuid, tags, volumes, messages);
        }
    }
}
