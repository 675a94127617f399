package lvms.operator.takeover;

import lvms.operator.uninstall.Item;

/**
 * An object of the predecessor.
 *
 * @param item the object
 * @param fate what becomes of it
 * @param why for people
 */
record Part(Item item, Fate fate, String why) {
    String text() {
        return "%-10s%s: %s".formatted(fate, item.text(), why);
    }
}
