package dev.stowage.cli.replay;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.cli.netty.ChildNetty;
import dev.stowage.cli.netty.NettyAllocator;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.PytorchRules;
import dev.stowage.trace.replay.XlaRules;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The allocator of a replay.
 *
 * @param kind its kind
 * @param options its options, as on the command line; empty for the defaults
 * @param limitBytes the limit of the rules; empty for the limit of a recording, if it has one
 * @param rules its rules
 */
public record ReplayedAllocator(
    AllocatorKind kind, String options, OptionalLong limitBytes, AllocatorRules rules) {

  /** {@return the allocator that made a recording, with its defaults and without a limit} */
  public static ReplayedAllocator ofRecording(String format) {
    AllocatorKind kind = AllocatorKind.ofFormat(format);
    OptionalLong none = OptionalLong.empty();
    AllocatorRules rules =
        switch (kind) {
          case bfc -> AllocatorRules.bfc(BfcOptions.growing());
          case pytorch -> PytorchRules.asRecorded();
          case rmm -> AllocatorRules.rmm(0, none);
          case xla -> new XlaRules(none);
          case netty ->
              NettyAllocator.rules(new ChildNetty(Optional.empty()), Optional.empty(), none);
        };
    return new ReplayedAllocator(kind, "", none, rules);
  }

  /** {@return true if this is the allocator of recordings of a format, as it makes them} */
  boolean isOfRecording(String format) {
    return kind == AllocatorKind.ofFormat(format) && options.isEmpty() && limitBytes.isEmpty();
  }

  /** {@return a best-fit allocator with coalescing} */
  public static ReplayedAllocator bfc(String options, BfcOptions bfcOptions) {
    return new ReplayedAllocator(
        AllocatorKind.bfc,
        options,
        bfcOptions.limitBytes() < Long.MAX_VALUE
            ? OptionalLong.of(bfcOptions.limitBytes())
            : OptionalLong.empty(),
        AllocatorRules.bfc(bfcOptions));
  }
}
