package lvms.tests.sanity;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import java.util.ArrayList;
import java.util.List;

/** Reads ginkgo's JSON report (types.Report of ginkgo v2). */
record SanityReport(List<Case> cases) {
    static SanityReport of(String json) {
        var cases = new ArrayList<Case>();
        for (var suite : JsonParser.parseString(json).getAsJsonArray()) {
            for (var spec : suite.getAsJsonObject().getAsJsonArray("SpecReports")) {
                cases.add(read(spec.getAsJsonObject()));
            }
        }
        return new SanityReport(List.copyOf(cases));
    }

    private static Case read(JsonObject spec) {
        var texts = new ArrayList<String>();
        var containers = spec.get("ContainerHierarchyTexts");
        if (containers.isJsonArray()) { // null where there are none
            containers.getAsJsonArray().asList().stream()
                    .map(JsonElement::getAsString)
                    .forEach(texts::add);
        }
        var leaf = spec.get("LeafNodeText").getAsString();
        texts.add(leaf.isEmpty() ? spec.get("LeafNodeType").getAsString() : leaf);
        var message =
                spec.has("Failure")
                        ? spec.getAsJsonObject("Failure").get("Message").getAsString()
                        : "";
        return new Case(String.join(" / ", texts), state(spec), message);
    }

    /** Whatever is none of the good ends, such as panicked or timed out, is a failure. */
    private static Case.State state(JsonObject spec) {
        return switch (spec.get("State").getAsString()) {
            case "passed" -> Case.State.PASSED;
            case "skipped" -> Case.State.SKIPPED;
            case "pending" -> Case.State.PENDING;
            default -> Case.State.FAILED;
        };
    }

    List<Case> in(Case.State state) {
        return cases.stream().filter(c -> c.state() == state).toList();
    }
}
