package dev.stowage.cli.replay;

import java.util.stream.Stream;

/** An allocator that can be replayed and tuned, by its name on the command line. */
public enum AllocatorKind {
  /** Best fit with coalescing. */
  bfc("a BFC allocator"),
  /** PyTorch's caching allocator. */
  pytorch("PyTorch's caching allocator"),
  /** The pool of RAPIDS Memory Manager. */
  rmm("the pool of RAPIDS Memory Manager"),
  /** The allocator of JAX. */
  xla("XLA's BFC allocator"),
  /** The allocators of Netty for direct buffers. */
  netty("Netty's allocator");

  private final String title;

  AllocatorKind(String title) {
    this.title = title;
  }

  /**
   * {@return the allocator that makes traces of a format; bfc if none is known}
   *
   * @param format the name of the format
   */
  public static AllocatorKind ofFormat(String format) {
    return Stream.of(values()).filter(each -> each.name().equals(format)).findFirst().orElse(bfc);
  }

  /** {@return the program that records the reserved bytes of the allocator} */
  public String program() {
    return switch (this) {
      case xla -> "XLA";
      case netty -> "Netty";
      case bfc, pytorch, rmm -> "PyTorch";
    };
  }

  /** {@return the name in sentences} */
  public String title() {
    return title;
  }
}
