package dev.stowage.bench;

import java.util.Locale;
import java.util.Optional;

/** The allocators that are compared. */
public enum Peer {
  /** Ours. */
  STOWAGE("Stowage"),
  /** The arena of a session of ONNX Runtime. */
  ONNXRUNTIME("ONNX Runtime's arena"),
  /** mimalloc. */
  MIMALLOC("mimalloc"),
  /** jemalloc. */
  JEMALLOC("jemalloc"),
  /** The malloc of the process. */
  GLIBC("glibc"),
  /** Netty's pooled direct buffers. */
  NETTY("Netty, pooled"),
  /** Arrow's root allocator over Unsafe. */
  ARROW("Arrow, Unsafe"),
  /** A confined arena a block. */
  CONFINED_ARENA("`Arena.ofConfined`");

  /** What zeroing, which touches memory, may commit or take time for. */
  private static final long MOST_ZEROED_BYTES = 3L << 30;

  private final String title;

  Peer(String title) {
    this.title = title;
  }

  /** {@return what it is called in tables} */
  String title() {
    return title;
  }

  /** {@return what is missing on this machine, and what to do, or empty if nothing is} */
  Optional<String> absence() {
    return switch (this) {
      case ONNXRUNTIME ->
          OnnxRuntimeArena.isPresent()
              ? Optional.empty()
              : Optional.of("ONNX Runtime has no library for this machine");
      case MIMALLOC ->
          NativeFunctions.isPresent(MimallocPeer.LIBRARY)
              ? Optional.empty()
              : Optional.of("install libmimalloc2.0");
      case JEMALLOC ->
          NativeFunctions.isPresent(JemallocPeer.LIBRARY)
              ? Optional.empty()
              : Optional.of("install libjemalloc2, and start with " + JemallocPeer.ENVIRONMENT);
      case STOWAGE, GLIBC, NETTY, ARROW, CONFINED_ARENA -> Optional.empty();
    };
  }

  /**
   * {@return why it is not asked for that much, or empty if it is}
   *
   * @param zeroedBytes how much is zeroed, if it zeroes
   */
  Optional<String> objection(long zeroedBytes) {
    return this == CONFINED_ARENA && zeroedBytes > MOST_ZEROED_BYTES
        ? Optional.of(
            String.format(Locale.ROOT, "it would zero %,.0f GiB", zeroedBytes / (double) (1 << 30)))
        : Optional.empty();
  }

  /**
   * {@return the allocator}
   *
   * @param slots how many blocks it keeps
   * @throws IllegalStateException if it is not on this machine
   */
  PeerAllocator open(int slots) {
    absence()
        .ifPresent(remedy -> {
          throw new IllegalStateException(
              String.format(Locale.ROOT, "%s is not here: %s", title, remedy));
        });
    return switch (this) {
      case STOWAGE -> new BfcPeer(slots);
      case ONNXRUNTIME -> new OnnxRuntimePeer(slots);
      case MIMALLOC -> new MimallocPeer(slots);
      case JEMALLOC -> new JemallocPeer(slots);
      case GLIBC -> new GlibcPeer(slots);
      case NETTY -> new NettyPeer(slots);
      case ARROW -> new ArrowPeer(slots);
      case CONFINED_ARENA -> new ConfinedArenaPeer(slots);
    };
  }
}
