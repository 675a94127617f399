package lvms.deploy.monitoring;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the alerts and the dashboards ask Prometheus for. */
final class Expressions {
    private static final Path DASHBOARDS = Path.of("deploy/monitoring/base/dashboards");
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((\\w+), \\w+\\)");
    private static final Pattern NO_NAMES =
            Pattern.compile(
                    "\"[^\"]*\"|[{][^}]*[}]|\\[[^]]*]"
                            + "|\\b(by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)");
    private static final Pattern NAME = Pattern.compile("\\b[a-zA-Z_:][\\w:]*\\b(?!\\s*\\()");
    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset");

    private Expressions() {}

    /** Returns those of the alerts that everybody gets. */
    static List<String> ofAlerts() throws IOException {
        return of(Rules.read());
    }

    /** Returns those of the alerts that users of NativeStor know. */
    static List<String> ofNativeStor() throws IOException {
        return of(Rules.read(Rules.NATIVESTOR));
    }

    private static List<String> of(Rules rules) {
        return rules.alerts().stream().map(Rules.Alert::expression).toList();
    }

    /** Returns those of all panels and of all variables, which choose by the values of a label. */
    static List<String> ofDashboards() throws IOException {
        try (var files = Files.list(DASHBOARDS)) {
            return files.sorted().flatMap(Expressions::ofDashboard).toList();
        }
    }

    private static Stream<String> ofDashboard(Path file) {
        try {
            var dashboard = Json.parse(Files.readString(file)).asObject();
            var panels =
                    dashboard.objects("panels").stream()
                            .flatMap(panel -> panel.objects("targets").stream())
                            .map(target -> target.text("expr").orElseThrow());
            var variables =
                    dashboard.objects("templating", "list").stream()
                            .filter(variable -> variable.text("type").orElse("").equals("query"))
                            .map(Expressions::series);
            return Stream.concat(panels, variables);
        } catch (IOException e) {
            throw new AssertionError(file + " cannot be read", e);
        }
    }

    private static String series(ObjectTree variable) {
        var query = variable.text("query").orElseThrow();
        var matcher = LABEL_VALUES.matcher(query);
        if (!matcher.matches()) {
            throw new AssertionError("a variable that is not understood: " + query);
        }
        return matcher.group(1);
    }

    /** Returns the names of series in an expression. */
    static Set<String> names(String expression) {
        var names = new TreeSet<String>();
        NAME.matcher(NO_NAMES.matcher(expression).replaceAll(" "))
                .results()
                .map(MatchResult::group)
                .filter(name -> !WORDS.contains(name))
                .forEach(names::add);
        return names;
    }
}
