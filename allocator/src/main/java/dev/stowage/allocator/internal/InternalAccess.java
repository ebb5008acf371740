package dev.stowage.allocator.internal;

/** An allocator with internals to which only {@link AllocatorInternals#of} leads. */
public abstract class InternalAccess {

  /** Creates an allocator. */
  protected InternalAccess() {}

  /** {@return the internals} */
  protected abstract AllocatorInternals internals();
}
