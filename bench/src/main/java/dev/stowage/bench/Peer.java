package dev.stowage.bench;

/** The allocators that are compared. */
public enum Peer {
  /** Ours. */
  STOWAGE,
  /** ONNX Runtime's arena of its CPU provider. */
  ONNXRUNTIME,
  /** mimalloc. */
  MIMALLOC,
  /** jemalloc. */
  JEMALLOC,
  /** The malloc of glibc. */
  GLIBC,
  /** Netty's pooled direct buffers. */
  NETTY,
  /** Arrow's root allocator over Unsafe. */
  ARROW,
  /** A confined arena a block. */
  CONFINED_ARENA;

  /** {@return the allocator, with so many slots} */
  PeerAllocator open(int slots) {
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
