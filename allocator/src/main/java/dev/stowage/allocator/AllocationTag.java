package dev.stowage.allocator;

/**
 * A name for allocations: of a model, a layer or a request.
 *
 * <p>All allocations of a thread while it runs the code of a tag have the tag, in every allocator.
 * Nested tags form a path: allocations of code under {@code attention}, called by code under {@code
 * encoder}, are reported as {@code encoder/attention}.
 *
 * {@snippet :
 * AllocationTag.of("encoder").run(() -> model.encode(tokens));
 * }
 *
 * <p>A tag costs an allocation a few nanoseconds and no memory. It is a {@link ScopedValue}: it
 * ends with its code, and only the threads of a structured task inherit it.
 */
public final class AllocationTag {

  private static final ScopedValue<AllocationTag> CURRENT = ScopedValue.newInstance();

  private static final AllocationTag NONE = new AllocationTag("");

  private final String path;
  private final Origin origin;

  private AllocationTag(String path) {
    this.path = path;
    this.origin = path.isEmpty() ? Origin.NONE : Origin.of(path);
  }

  /**
   * {@return a tag}
   *
   * @param name the name in reports
   * @throws IllegalArgumentException if {@code name} is empty
   */
  public static AllocationTag of(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("name must not be empty: name=''");
    }
    return new AllocationTag(name);
  }

  /**
   * Runs code and gives this tag to its allocations.
   *
   * @param code the code
   */
  public void run(Runnable code) {
    ScopedValue.where(CURRENT, within(current())).run(code);
  }

  /**
   * Runs code and gives this tag to its allocations.
   *
   * @param code the code
   * @param <R> the type of its result
   * @param <X> the type of its exception
   * @return the result of the code
   * @throws X if the code throws it
   */
  public <R, X extends Throwable> R call(ScopedValue.CallableOp<? extends R, X> code) throws X {
    return ScopedValue.where(CURRENT, within(current())).call(code);
  }

  private AllocationTag within(AllocationTag outer) {
    return outer == NONE ? this : new AllocationTag(outer.path + "/" + path);
  }

  /** {@return the names of the tag and of the tags around it, the outermost first} */
  @Override
  public String toString() {
    return path;
  }

  /** {@return the tag of this thread's allocations; an empty one outside of all tags} */
  public static AllocationTag current() {
    return CURRENT.orElse(NONE);
  }

  /** {@return true if this is the tag outside of all tags} */
  public boolean isNone() {
    return this == NONE;
  }

  /** {@return the origin of an allocation with this tag} */
  Origin origin() {
    return origin;
  }

  /** {@return the origin of an allocation that this thread requests now} */
  static Origin currentOrigin(boolean hasStack) {
    Origin origin = current().origin;
    return hasStack ? origin.withStack() : origin;
  }
}
