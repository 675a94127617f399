package lvms.tests.cluster.ginkgo;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.ArrayList;
import java.util.List;

/** Reads ginkgo's JSON report (types.Report of ginkgo v2). */
public record GinkgoReport(List<Case> cases) {
    public static GinkgoReport of(String json) {
        var cases = new ArrayList<Case>();
        for (var suite : Json.parse(json).asList()) {
            for (var spec : suite.asObject().at("SpecReports").asList()) {
                cases.add(read(spec.asObject()));
            }
        }
        return new GinkgoReport(List.copyOf(cases));
    }

    private static Case read(ObjectTree spec) {
        var texts = new ArrayList<String>();
        var containers = spec.at("ContainerHierarchyTexts");
        if (containers instanceof ListTree) { // null where there are none
            containers.asList().elements().stream().map(Tree::asText).forEach(texts::add);
        }
        var leaf = spec.at("LeafNodeText").asText();
        texts.add(leaf.isEmpty() ? spec.at("LeafNodeType").asText() : leaf);
        var message = spec.has("Failure") ? spec.at("Failure", "Message").asText() : "";
        return new Case(String.join(" / ", texts), state(spec), message);
    }

    /** Whatever is none of the good ends, such as panicked or timed out, is a failure. */
    private static Case.State state(ObjectTree spec) {
        return switch (spec.at("State").asText()) {
            case "passed" -> Case.State.PASSED;
            case "skipped" -> Case.State.SKIPPED;
            case "pending" -> Case.State.PENDING;
            default -> Case.State.FAILED;
        };
    }

    /** Returns the cases that ended so. */
    public List<Case> in(Case.State state) {
        return cases.stream().filter(c -> c.state() == state).toList();
    }
}
