package lvms.node.pool;

import lvms.api.ThinPoolConfig;
import lvms.lvm2.LvName;

import java.util.Optional;

/** Who wants something of a pool and hears what becomes of it: the volume group manager. */
public interface PoolOwner {
    /** Returns what the class of this pool asks for; empty for a pool that nobody here made. */
    Optional<ThinPoolConfig> wanted(LvName pool);

    /** The pool has begun or ceased to refuse new volumes, or for another reason. */
    void refusalChanged(LvName pool);

    /** The pool has grown. */
    void grew(LvName pool, String note);
}
