package lvms.tests.docs;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

/**
 * The registrations of metrics in one source file: calls such as {@code registry.counter(name,
 * help, labels)}. Names, helps and labels may be literals, sums of them, constants of the file, or
 * parameters of a method that the file itself calls; with anything else it fails, so that no metric
 * can be missed.
 */
final class Registrations extends TreeScanner<Void, MethodTree> {
    private static final Set<String> KINDS = Set.of("counter", "gauge", "histogram", "summary");

    record Metric(String name, String type, List<String> labels, String help) {}

    private record Call(MethodInvocationTree tree, MethodTree within) {}

    private final Path file;
    private final Map<String, ExpressionTree> constants = new HashMap<>();
    private final Map<String, List<MethodInvocationTree>> ownCalls = new HashMap<>();
    private final List<Call> calls = new ArrayList<>();

    private Registrations(Path file) {
        this.file = file;
    }

    static List<Metric> in(Path file) throws IOException {
        var scan = new Registrations(file);
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var task =
                    (JavacTask)
                            compiler.getTask(
                                    null, files, null, null, null, files.getJavaFileObjects(file));
            for (CompilationUnitTree unit : task.parse()) {
                scan.scan(unit, null);
            }
        }
        return scan.calls.stream().flatMap(scan::metrics).toList();
    }

    @Override
    public Void visitClass(ClassTree tree, MethodTree within) {
        for (var member : tree.getMembers()) {
            if (member instanceof VariableTree field && field.getInitializer() != null) {
                constants.put(field.getName().toString(), field.getInitializer());
            }
        }
        return super.visitClass(tree, within);
    }

    @Override
    public Void visitMethod(MethodTree tree, MethodTree within) {
        return super.visitMethod(tree, tree);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree tree, MethodTree within) {
        switch (tree.getMethodSelect()) {
            case IdentifierTree own ->
                    ownCalls.computeIfAbsent(own.getName().toString(), _ -> new ArrayList<>())
                            .add(tree);
            case MemberSelectTree select when KINDS.contains(select.getIdentifier().toString()) ->
                    calls.add(new Call(tree, within));
            default -> {}
        }
        return super.visitMethodInvocation(tree, within);
    }

    /** A registration in a method with parameters counts once for each call of that method. */
    private Stream<Metric> metrics(Call call) {
        var parameters = call.within().getParameters().stream().map(p -> p.getName().toString());
        var names = parameters.toList();
        boolean needed = call.tree().getArguments().stream().anyMatch(a -> uses(a, names));
        if (!needed) {
            return Stream.of(metric(call.tree(), Map.of()));
        }
        return ownCalls.getOrDefault(call.within().getName().toString(), List.of()).stream()
                .filter(own -> own.getArguments().size() == names.size())
                .map(own -> metric(call.tree(), bound(names, own)));
    }

    private static boolean uses(ExpressionTree argument, List<String> names) {
        return switch (argument) {
            case IdentifierTree name -> names.contains(name.getName().toString());
            case BinaryTree sum ->
                    uses(sum.getLeftOperand(), names) || uses(sum.getRightOperand(), names);
            default -> false;
        };
    }

    private static Map<String, ExpressionTree> bound(
            List<String> names, MethodInvocationTree call) {
        var bound = new HashMap<String, ExpressionTree>();
        for (int i = 0; i < names.size(); i++) {
            bound.put(names.get(i), call.getArguments().get(i));
        }
        return bound;
    }

    private Metric metric(MethodInvocationTree call, Map<String, ExpressionTree> bound) {
        var type = ((MemberSelectTree) call.getMethodSelect()).getIdentifier().toString();
        var arguments = call.getArguments();
        int labels = type.equals("histogram") ? 3 : 2;
        return new Metric(
                texts(arguments.get(0), bound).getFirst(),
                type,
                arguments.stream().skip(labels).flatMap(a -> texts(a, bound).stream()).toList(),
                texts(arguments.get(1), bound).getFirst());
    }

    private List<String> texts(ExpressionTree tree, Map<String, ExpressionTree> bound) {
        return switch (tree) {
            case LiteralTree literal -> List.of(literal.getValue().toString());
            case BinaryTree sum ->
                    List.of(
                            texts(sum.getLeftOperand(), bound).getFirst()
                                    + texts(sum.getRightOperand(), bound).getFirst());
            case NewArrayTree array ->
                    array.getInitializers().stream()
                            .flatMap(element -> texts(element, bound).stream())
                            .toList();
            case IdentifierTree name when bound.containsKey(name.getName().toString()) ->
                    texts(bound.get(name.getName().toString()), Map.of());
            case IdentifierTree name when constants.containsKey(name.getName().toString()) ->
                    texts(constants.get(name.getName().toString()), Map.of());
            default ->
                    throw new IllegalStateException(
                            file
                                    + ": cannot read \""
                                    + tree
                                    + "\" in the registration of a metric");
        };
    }
}
