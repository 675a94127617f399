package lvms.operator.overview;

import lvms.k8s.object.KubeObject;

import java.util.List;
import java.util.Optional;

/**
 * Why a claim waits.
 *
 * @param waits whether it waits at all
 * @param why what it waits for, or how it is
 * @param node the node that matters; empty while none was chosen
 * @param who who has to act; empty if nobody has to
 */
record Explanation(boolean waits, String why, Optional<String> node, String who) {
    private static final int MOST_EVENTS = 5;

    static Explanation fine(String why) {
        return new Explanation(false, why, Optional.empty(), "");
    }

    static Explanation waits(String why, String who) {
        return new Explanation(true, why, Optional.empty(), who);
    }

    Explanation on(String name) {
        return new Explanation(waits, why, Optional.of(name), who);
    }

    Section section(String claim) {
        var row =
                List.of(
                        Cell.of(claim),
                        Cell.of(waits),
                        Cell.of(why),
                        Cell.of(node),
                        Cell.of(who.isEmpty() ? "nobody" : who));
        return new Section("claim", List.of("claim", "waits", "why", "node", "who"), List.of(row));
    }

    /** The last Events on the claim. */
    static Section events(List<KubeObject> events, Overview overview) {
        return Section.of(
                "events",
                List.of("ageSeconds", "reason", "from", "note"),
                events.stream().limit(MOST_EVENTS).map(event -> row(event, overview)));
    }

    private static List<Cell> row(KubeObject event, Overview overview) {
        var from =
                event.text("reportingController")
                        .filter(text -> !text.isEmpty())
                        .or(() -> event.text("deprecatedSource", "component"));
        return List.of(
                Cell.age(overview.since(Optional.of(ClaimSurroundings.time(event)))),
                Cell.of(event.text("reason")),
                Cell.of(from),
                Cell.of(event.text("note")));
    }
}
