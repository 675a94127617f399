package lvms.operator.topolvm;

import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.k8s.yaml.YamlException;
import lvms.operator.uninstall.Item;

import java.util.ArrayList;
import java.util.List;

/** The lvmd.yaml of a ConfigMap, as far as a plan tells of it; the node agents read all of it. */
public record LvmdFile(Item item, ObjectTree content) {
    private static final String FILE = "lvmd.yaml";

    /** Returns the text of the file; empty if there is none. */
    public static String text(Item item) {
        return item.object().text("data", FILE).orElse("");
    }

    public static boolean isFile(Item item) {
        return item.object().text("data", FILE).isPresent();
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException if it is not a mapping, with the line
     */
    public static LvmdFile of(Item item) {
        try {
            var read = Yaml.read(text(item));
            if (read instanceof ObjectTree mapping) {
                return new LvmdFile(item, mapping);
            }
            throw new IllegalArgumentException("expected a mapping");
        } catch (YamlException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Returns a line for each device class. */
    public List<String> classes() {
        var lines = new ArrayList<String>();
        for (var entry : content.objects("device-classes")) {
            lines.add(
                    item.text()
                            + ": class "
                            + entry.text("name").orElse("")
                            + " on volume group "
                            + entry.text("volume-group").orElse("")
                            + entry.text("thin-pool", "name").map(p -> "/" + p).orElse("")
                            + (entry.flag("default").orElse(false) ? ", the default" : ""));
        }
        return lines;
    }
}
