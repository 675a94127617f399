package lvms.k8s.discovery;

import lvms.k8s.object.ResourceType;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A type that a server serves, in one version.
 *
 * @param type the type
 * @param singular its name in the singular, such as {@code pod}
 * @param shortNames its abbreviations, such as {@code po}
 * @param categories groups of types that kubectl knows, such as {@code all}
 * @param verbs what the server does with its objects, such as {@code list}
 * @param subresources verbs by subresource, such as {@code status}
 */
public record ServedType(
        ResourceType type,
        String singular,
        List<String> shortNames,
        List<String> categories,
        Set<String> verbs,
        Map<String, Set<String>> subresources) {
    public ServedType {
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
        verbs = Set.copyOf(verbs);
        subresources = Map.copyOf(subresources);
    }

    /** Returns whether people may mean it by this word, whose letters are all small. */
    boolean isCalled(String word) {
        return type.plural().equals(word)
                || singular.equals(word)
                || shortNames.contains(word)
                || type.kind().equalsIgnoreCase(word);
    }
}
