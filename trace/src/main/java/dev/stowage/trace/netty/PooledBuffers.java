package dev.stowage.trace.netty;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The pooled allocator. */
final class PooledBuffers implements BufferSource {

  private final NettySettings settings;
  private final NettyChunks chunks;
  private final PooledSizes sizes;
  private final List<PooledArena> arenas = new ArrayList<>();
  private final Map<Long, BufferCache> caches = new HashMap<>();

  PooledBuffers(NettySettings settings, NettyChunks chunks) {
    this.settings = settings;
    this.chunks = chunks;
    sizes = new PooledSizes(settings.pageSize(), settings.pageSize() << settings.maxOrder());
    for (int i = 0; i < settings.numDirectArenas(); i++) {
      arenas.add(new PooledArena(sizes, chunks, i));
    }
  }

  @Override
  public NettyBuffer allocate(int bytes, NettyThread thread) {
    if (arenas.isEmpty()) {
      return UnpooledBuffers.single(chunks, bytes);
    }
    BufferCache cache = caches.computeIfAbsent(thread.id(), _ -> newCache(thread));
    if (bytes > sizes.chunkBytes()) {
      return UnpooledBuffers.single(chunks, bytes);
    }
    int sizeClass = sizes.classOf(bytes);
    PooledArena.Piece piece = cache.poll(sizeClass).orElseGet(() -> cache.arena().take(sizeClass));
    return new NettyBuffer(
        piece.memory(), piece.offset(), piece.bytes(), _ -> cache.free(piece, sizeClass));
  }

  private BufferCache newCache(NettyThread thread) {
    PooledArena arena =
        arenas.stream().min(Comparator.comparingInt(PooledArena::threadCount)).orElseThrow();
    arena.addThread();
    return new BufferCache(
        arena, sizes, settings, thread.isEventLoop() || settings.useCacheForAllThreads());
  }
}
