package lvms.operator.page;

/** Text of HTML as it grows. What it is given as text or attribute can never become markup. */
final class Html {
    private final StringBuilder out = new StringBuilder();

    /** Adds markup of our own. */
    Html markup(String markup) {
        out.append(markup);
        return this;
    }

    /** Adds a text of whomever. */
    Html text(String text) {
        out.append(escaped(text));
        return this;
    }

    /** Adds an element with nothing but text in it. */
    Html element(String name, String text) {
        return markup("<" + name + ">").text(text).markup("</" + name + ">");
    }

    /** Begins an element; attributes are names and values in turn. */
    Html begin(String name, String... attributes) {
        out.append('<').append(name);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ').append(attributes[i]).append("=\"");
            out.append(escaped(attributes[i + 1])).append('"');
        }
        out.append('>');
        return this;
    }

    Html end(String name) {
        return markup("</" + name + ">");
    }

    /** Characters that no HTML may have, or that turn the direction of what follows, are shown. */
    static String escaped(String text) {
        var safe = new StringBuilder(text.length() + 16);
        text.codePoints()
                .forEach(
                        c -> {
                            switch (c) {
                                case '&' -> safe.append("&amp;");
                                case '<' -> safe.append("&lt;");
                                case '>' -> safe.append("&gt;");
                                case '"' -> safe.append("&quot;");
                                case '\'' -> safe.append("&#39;");
                                default -> safe.appendCodePoint(allowed(c) ? c : 0xFFFD);
                            }
                        });
        return safe.toString();
    }

    private static boolean allowed(int c) {
        return c == '\n'
                || c == '\t'
                || !Character.isISOControl(c)
                        && Character.getType(c) != Character.FORMAT
                        && Character.getType(c) != Character.SURROGATE
                        && Character.isDefined(c);
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
