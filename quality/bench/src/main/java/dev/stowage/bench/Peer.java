package dev.stowage.bench;

import dev.stowage.allocator.BfcOptions;
import java.util.Locale;
import java.util.Optional;

/** The allocators of the comparison. */
public enum Peer {
  /** Stowage. */
  STOWAGE("Stowage"),
  /** Stowage with a front cache. */
  STOWAGE_CACHED("Stowage, front cache"),
  /** The arena of an ONNX Runtime session. */
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
  /** A confined arena for each block. */
  CONFINED_ARENA("`Arena.ofConfined`");

  /** The most free bytes in the front cache. */
  private static final long CACHED_BYTES = 1L << 30;

  private final String title;

  Peer(String title) {
    this.title = title;
  }

  /** {@return the title in tables} */
  String title() {
    return title;
  }

  /**
   * {@return the reason why it is missing on this machine, with the remedy; empty if it is present}
   */
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
      case STOWAGE, STOWAGE_CACHED, GLIBC, NETTY, ARROW, CONFINED_ARENA -> Optional.empty();
    };
  }

  /**
   * {@return the allocator}
   *
   * @param slots the number of blocks
   * @throws IllegalStateException if it is missing on this machine
   */
  PeerAllocator open(int slots) {
    absence()
        .ifPresent(remedy -> {
          throw new IllegalStateException(
              String.format(Locale.ROOT, "%s is missing: %s", title, remedy));
        });
    return switch (this) {
      case STOWAGE -> new BfcPeer(slots, BfcOptions.growing());
      case STOWAGE_CACHED -> new BfcPeer(slots, BfcOptions.growing().withFrontCache(CACHED_BYTES));
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
