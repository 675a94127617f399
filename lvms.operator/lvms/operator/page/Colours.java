package lvms.operator.page;

/**
 * The colours of volumes: seven that people tell apart however they see colours (Okabe and Ito,
 * 2008). A volume has the same one on each disk and each page, since its name says which.
 */
final class Colours {
    private static final String[] HEX = {
        "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"
    };

    private Colours() {}

    /** The class in the style sheet. */
    static String of(String volume) {
        int hash = volume.hashCode();
        return "c" + Math.floorMod(hash ^ hash >>> 15, HEX.length);
    }

    static String style() {
        var style = new StringBuilder();
        for (int i = 0; i < HEX.length; i++) {
            style.append(".c%d{fill:%s;background:%s}\n".formatted(i, HEX[i], HEX[i]));
        }
        return style.toString();
    }
}
