package dev.stowage.allocator.internal;

/**
 * An allocator, or a budget of one, with internals to which only {@link AllocatorInternals#of}
 * leads.
 */
public abstract class InternalAccess {

  /** Creates an allocator or budget. */
  protected InternalAccess() {}

  /** {@return the internals} */
  protected abstract AllocatorInternals internals();
}
