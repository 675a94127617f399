package lvms.k8s.informer;

import static java.lang.System.Logger.Level.ERROR;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;

import java.util.function.UnaryOperator;

/**
 * Trims objects; one that makes the function fail is kept whole, so that its change is not lost.
 */
record SafeTrim(ResourceType type, UnaryOperator<KubeObject> trim)
        implements UnaryOperator<KubeObject> {
    private static final System.Logger LOG = System.getLogger(SafeTrim.class.getName());

    @Override
    public KubeObject apply(KubeObject object) {
        try {
            return trim.apply(object);
        } catch (RuntimeException | Error failure) {
            LOG.log(
                    ERROR,
                    () -> "object not trimmed type=" + type + " object=" + object.key(),
                    failure);
            return object;
        }
    }
}
