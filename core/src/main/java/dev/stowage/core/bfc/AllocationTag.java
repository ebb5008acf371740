package dev.stowage.core.bfc;

/**
 * The name under which allocations are attributed: of a model, a layer, a request.
 *
 * <p>What a thread allocates while it runs a tag's code bears the tag, in every allocator. A tag
 * within a tag is a path, so that what is reported as {@code encoder/attention} was allocated by
 * code under {@code attention} that was called by code under {@code encoder}:
 *
 * {@snippet :
 * AllocationTag.of("encoder").run(() -> model.encode(tokens));
 * }
 *
 * <p>A tag costs an allocation a few nanoseconds and no memory, and needs no closing: it is a
 * {@link ScopedValue}, so that threads of a structured task inherit it and others do not.
 */
public final class AllocationTag {

  private static final ScopedValue<AllocationTag> CURRENT = ScopedValue.newInstance();

  private static final AllocationTag NONE = new AllocationTag("");

  private final String path;
  private final Origin origin;

  private AllocationTag(String path) {
    this.path = path;
    this.origin = Origin.of(path);
  }

  /**
   * {@return a tag}
   *
   * @param name what reports call it
   * @throws IllegalArgumentException if {@code name} is empty
   */
  public static AllocationTag of(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a tag has no name");
    }
    return new AllocationTag(name);
  }

  /**
   * Runs code whose allocations bear this tag.
   *
   * @param code what to run
   */
  public void run(Runnable code) {
    ScopedValue.where(CURRENT, within(current())).run(code);
  }

  /**
   * Runs code whose allocations bear this tag, and {@return what the code returns}
   *
   * @param code what to run
   * @param <R> what it returns
   * @param <X> what it throws
   * @throws X what the code throws
   */
  public <R, X extends Throwable> R call(ScopedValue.CallableOp<? extends R, X> code) throws X {
    return ScopedValue.where(CURRENT, within(current())).call(code);
  }

  private AllocationTag within(AllocationTag outer) {
    return outer == NONE ? this : new AllocationTag(outer.path + "/" + path);
  }

  /** {@return the names of the tag and of those around it, from the outermost on} */
  @Override
  public String toString() {
    return path;
  }

  /** {@return the tag that this thread's allocations bear now; an empty one outside of any} */
  public static AllocationTag current() {
    return CURRENT.orElse(NONE);
  }

  Origin origin() {
    return origin;
  }
}
