package dev.stowage.cli.replay;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.trace.replay.AllocatorRules;

/**
 * The allocator of a replay.
 *
 * @param name the name on the command line
 * @param title the name in sentences, such as {@code a BFC allocator}
 * @param options its options, as on the command line; empty for the defaults
 * @param rules its rules
 */
public record ReplayedAllocator(String name, String title, String options, AllocatorRules rules) {

  /** {@return a best-fit allocator with coalescing} */
  public static ReplayedAllocator bfc(String options, BfcOptions bfcOptions) {
    return new ReplayedAllocator("bfc", "a BFC allocator", options, AllocatorRules.bfc(bfcOptions));
  }
}
