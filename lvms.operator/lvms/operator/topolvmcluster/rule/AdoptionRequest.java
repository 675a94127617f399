package lvms.operator.topolvmcluster.rule;

import lvms.k8s.object.KubeObject;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What an annotation of a TopolvmCluster says of volume groups that people made: which of them may
 * be taken over.
 *
 * @param all whether every one may
 * @param groups those that are named
 * @param problem what is wrong with the annotation; nothing is asked for then
 */
public record AdoptionRequest(boolean all, Set<String> groups, Optional<String> problem) {
    /** The annotation: names of volume groups with commas between them, or {@code *}. */
    public static final String ANNOTATION = "lvms.topolvm.io/adopt-volume-groups";

    private static final String ALL = "*";

    public AdoptionRequest {
        groups = Set.copyOf(groups);
        Objects.requireNonNull(problem, "problem");
    }

    /** Reads the annotation of a TopolvmCluster. */
    public static AdoptionRequest of(KubeObject cluster) {
        return cluster.annotation(ANNOTATION)
                .map(AdoptionRequest::parse)
                .orElseGet(() -> new AdoptionRequest(false, Set.of(), Optional.empty()));
    }

    private static AdoptionRequest parse(String value) {
        if (value.strip().equals(ALL)) {
            return new AdoptionRequest(true, Set.of(), Optional.empty());
        }
        var names = Arrays.stream(value.split(",", -1)).map(String::strip).toList();
        return names.stream()
                .filter(Predicate.not(ClassRules::isGroupName))
                .findFirst()
                .map(bad -> new AdoptionRequest(false, Set.of(), Optional.of(problem(bad))))
                .orElseGet(() -> new AdoptionRequest(false, Set.copyOf(names), Optional.empty()));
    }

    private static String problem(String name) {
        return ("annotation %s: \"%s\" is not the name of a volume group: write names with commas"
                        + " between them, or * for all; until then nothing is taken over")
                .formatted(ANNOTATION, name);
    }

    /** Returns whether a volume group may be taken over. */
    public boolean names(String group) {
        return all || groups.contains(group);
    }

    /** Returns what its author should know: a name that no class has is probably misspelled. */
    public List<String> warnings(Collection<String> wanted) {
        var unknown =
                groups.stream()
                        .filter(Predicate.not(wanted::contains))
                        .sorted()
                        .collect(Collectors.joining(", "));
        return unknown.isEmpty()
                ? List.of()
                : List.of("annotation " + ANNOTATION + ": no class has volume group " + unknown);
    }
}
