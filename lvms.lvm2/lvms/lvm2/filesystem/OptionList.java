package lvms.lvm2.filesystem;

import java.util.ArrayList;
import java.util.List;

/** Mount options as one text: separated by commas, of which those in quotes belong to a value. */
public final class OptionList {
    private OptionList() {}

    /** Splits at commas outside quotes: an SELinux context has commas inside. Quotes stay. */
    public static List<String> split(String options) {
        var parts = new ArrayList<String>();
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i < options.length(); i++) {
            char c = options.charAt(i);
            quoted ^= c == '"';
            if (c == ',' && !quoted) {
                parts.add(options.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(options.substring(start));
        return parts;
    }
}
