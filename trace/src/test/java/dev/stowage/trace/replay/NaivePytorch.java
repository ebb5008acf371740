package dev.stowage.trace.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * PyTorch's caching allocator with plain lists: every question is answered by a walk over all
 * blocks.
 *
 * <p>A place is the number of a segment and an offset. Segments with higher numbers lie at higher
 * addresses.
 */
final class NaivePytorch {

  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;

  /** A range of a segment. */
  static final class Piece {
    long offset;
    long size;
    long requested;
    boolean used;
    boolean mapped = true;
    long freedAt;
  }

  /** A segment. */
  static final class Seg {
    final int number;
    final boolean small;
    final long stream;
    final long pool;
    final long page;
    final List<Piece> pieces = new ArrayList<>();

    Seg(int number, boolean small, long stream, long pool, long page, long size) {
      this.number = number;
      this.small = small;
      this.stream = stream;
      this.pool = pool;
      this.page = page;
      Piece all = new Piece();
      all.size = size;
      all.mapped = page == 0;
      pieces.add(all);
    }

    long held() {
      return pieces.stream().filter(p -> p.mapped).mapToLong(p -> p.size).sum();
    }
  }

  record Place(int segment, long offset) {}

  private record Found(Seg seg, Piece piece) {}

  long maxSplit = Long.MAX_VALUE;
  long maxRounding = 20 * MIB;
  long largeSegment = 20 * MIB;
  int[] divisions = new int[16];
  double threshold;
  double fraction = 1;
  boolean expandable;
  long limit = Long.MAX_VALUE;

  /** The private pools that no graph uses. */
  final Set<Long> destroyed = new HashSet<>();

  /** Called after a request has released cached memory, before it gets other memory. */
  Runnable released = () -> {};

  final List<Seg> segs = new ArrayList<>();
  private final Map<String, Long> searches = new HashMap<>();
  private int segmentCount;
  long peakReserved;
  long calls;

  /** {@return the memory of the device, which a fraction of 1 leaves out of account} */
  private long device() {
    return fraction < 1 ? limit : Long.MAX_VALUE;
  }

  long reserved() {
    return segs.stream().mapToLong(Seg::held).sum();
  }

  long inUse() {
    return segs.stream()
        .flatMap(seg -> seg.pieces.stream())
        .filter(p -> p.used)
        .mapToLong(p -> p.size)
        .sum();
  }

  long requested() {
    return segs.stream()
        .flatMap(seg -> seg.pieces.stream())
        .filter(p -> p.used)
        .mapToLong(p -> p.requested)
        .sum();
  }

  long largestFree() {
    return segs.stream()
        .flatMap(seg -> seg.pieces.stream())
        .filter(p -> !p.used && p.mapped)
        .mapToLong(p -> p.size)
        .max()
        .orElse(0);
  }

  long rounded(long bytes) {
    if (bytes < 512) {
      return 512;
    }
    int size = 0;
    while (size < 15 && bytes >= MIB << (size + 1)) {
      size++;
    }
    int parts = divisions[size];
    if (parts > 1 && bytes > 512L * parts) {
      long power = 512;
      while (power * 2 <= bytes) {
        power *= 2;
      }
      long candidate = power;
      while (candidate < bytes) {
        candidate += power / parts;
      }
      return candidate;
    }
    long blocks = bytes / 512;
    return bytes % 512 == 0 ? bytes : (blocks + 1) * 512;
  }

  private String key(boolean small, long pool) {
    return small + " " + pool;
  }

  private boolean collects() {
    return limit != Long.MAX_VALUE && threshold > 0;
  }

  private long allowed() {
    return fraction < 1 && limit != Long.MAX_VALUE ? (long) (fraction * limit) : limit;
  }

  /** The free mapped pieces of a stream, by size and place. */
  private List<Found> free(boolean small, long stream, long pool) {
    List<Found> found = new ArrayList<>();
    for (Seg seg : segs) {
      if (seg.small == small && seg.stream == stream && seg.pool == pool) {
        for (Piece piece : seg.pieces) {
          if (!piece.used && piece.mapped) {
            found.add(new Found(seg, piece));
          }
        }
      }
    }
    found.sort(
        Comparator.<Found>comparingLong(f -> f.piece.size)
            .thenComparingInt(f -> f.seg.number)
            .thenComparingLong(f -> f.piece.offset));
    return found;
  }

  @Nullable Place malloc(long bytes, long stream, long pool) {
    long size = rounded(bytes);
    boolean small = size <= MIB;
    Found found = cached(size, small, stream, pool);
    if (found == null && collects()) {
      collectGarbage();
    }
    if (found == null) {
      found = fresh(size, small, stream, pool);
    }
    if (found == null && releaseOversize(size, small, stream, pool)) {
      found = fresh(size, small, stream, pool);
    }
    if (found == null && pool == 0) {
      emptyCache();
      released.run();
      found = fresh(size, small, stream, pool);
    }
    if (found == null) {
      return null;
    }
    Piece piece = found.piece;
    long rest = piece.size - size;
    boolean split = (small || expandable) ? rest >= 512 : size < maxSplit && rest > MIB;
    if (split) {
      Piece upper = new Piece();
      upper.offset = piece.offset + size;
      upper.size = rest;
      upper.freedAt = searches.getOrDefault(key(small, pool), 0L);
      piece.size = size;
      found.seg.pieces.add(found.seg.pieces.indexOf(piece) + 1, upper);
    }
    piece.used = true;
    piece.requested = bytes;
    return new Place(found.seg.number, piece.offset);
  }

  private @Nullable Found cached(long size, boolean small, long stream, long pool) {
    if (collects()) {
      searches.merge(key(small, pool), 1L, Long::sum);
    }
    List<Found> all = free(small, stream, pool);
    int i = 0;
    while (i < all.size() && all.get(i).piece.size < size) {
      i++;
    }
    if (i == all.size()) {
      return null;
    }
    if (all.get(i).seg.page > 0 && expandable) {
      while (all.get(i).seg.page > 0
          && i + 1 < all.size()
          && room(all.get(i + 1)) < room(all.get(i))) {
        i++;
      }
    } else if (all.get(i).seg.page > 0) {
      while (i < all.size() && all.get(i).seg.page > 0) {
        i++;
      }
      if (i == all.size()) {
        return null;
      }
    }
    Found found = all.get(i);
    if (size < maxSplit && found.piece.size >= maxSplit) {
      return null;
    }
    if (size >= maxSplit && found.piece.size >= size + maxRounding) {
      return null;
    }
    return found;
  }

  private static long room(Found found) {
    int next = found.seg.pieces.indexOf(found.piece) + 1;
    return next < found.seg.pieces.size() && !found.seg.pieces.get(next).mapped
        ? found.piece.size + found.seg.pieces.get(next).size
        : found.piece.size;
  }

  private @Nullable Found fresh(long size, boolean small, long stream, long pool) {
    long bytes = 2 * MIB;
    if (!small) {
      bytes = size < 10 * MIB ? largeSegment : (size + 2 * MIB - 1) / (2 * MIB) * (2 * MIB);
    }
    if (reserved() + bytes > allowed()) {
      return null;
    }
    if (expandable) {
      return extended(size, small, stream, pool);
    }
    if (reserved() + bytes > device()) {
      return null;
    }
    Seg seg = new Seg(segmentCount++, small, stream, pool, 0, bytes);
    segs.add(seg);
    calls++;
    peakReserved = Math.max(peakReserved, reserved());
    return new Found(seg, seg.pieces.getFirst());
  }

  private @Nullable Found extended(long size, boolean small, long stream, long pool) {
    Found start = null;
    for (Seg seg : segs) {
      if (seg.page == 0 || seg.small != small || seg.stream != stream || seg.pool != pool) {
        continue;
      }
      for (int i = 0; i < seg.pieces.size() && start == null; i++) {
        if (!seg.pieces.get(i).mapped) {
          int from = i > 0 && !seg.pieces.get(i - 1).used ? i - 1 : i;
          long bytes = 0;
          for (int k = from; k < seg.pieces.size() && !seg.pieces.get(k).used; k++) {
            bytes += seg.pieces.get(k).size;
          }
          if (bytes >= size) {
            start = new Found(seg, seg.pieces.get(from));
          }
        }
      }
    }
    if (start == null) {
      long page = small ? 2 * MIB : largeSegment;
      long span = device() == Long.MAX_VALUE ? 1L << 44 : device() / 8 * 9 + page;
      span = Math.max(span, size + page - 1);
      Seg seg = new Seg(segmentCount++, small, stream, pool, page, span / page * page);
      segs.add(seg);
      start = new Found(seg, seg.pieces.getFirst());
    }
    Seg seg = start.seg;
    long offset = start.piece.offset;
    while (true) {
      Piece piece = at(seg, offset);
      if (piece.mapped && piece.size >= size) {
        return new Found(seg, piece);
      }
      Piece target = piece.mapped ? at(seg, piece.offset + piece.size) : piece;
      long want = Math.min(size - (piece.mapped ? piece.size : 0), target.size);
      long pages = (want + seg.page - 1) / seg.page * seg.page;
      if (reserved() + pages > device()) {
        return null;
      }
      calls++;
      if (pages < target.size) {
        Piece upper = new Piece();
        upper.mapped = false;
        upper.offset = target.offset + pages;
        upper.size = target.size - pages;
        target.size = pages;
        seg.pieces.add(seg.pieces.indexOf(target) + 1, upper);
      }
      target.mapped = true;
      join(seg, target.offset);
      peakReserved = Math.max(peakReserved, reserved());
    }
  }

  private static Piece at(Seg seg, long offset) {
    return seg.pieces.stream()
        .filter(p -> p.offset <= offset && offset < p.offset + p.size)
        .findFirst()
        .orElseThrow();
  }

  /** Joins the piece at an offset with its neighbours of the same kind. */
  private void join(Seg seg, long offset) {
    int i = seg.pieces.indexOf(at(seg, offset));
    Piece piece = seg.pieces.get(i);
    if (i + 1 < seg.pieces.size()
        && !seg.pieces.get(i + 1).used
        && seg.pieces.get(i + 1).mapped == piece.mapped) {
      piece.size += seg.pieces.remove(i + 1).size;
    }
    if (i > 0 && !seg.pieces.get(i - 1).used && seg.pieces.get(i - 1).mapped == piece.mapped) {
      Piece lower = seg.pieces.remove(i - 1);
      piece.offset = lower.offset;
      piece.size += lower.size;
    }
    piece.freedAt = searches.getOrDefault(key(seg.small, seg.pool), 0L);
  }

  void free(Place place) {
    Seg seg = segs.stream().filter(s -> s.number == place.segment).findFirst().orElseThrow();
    Piece piece = at(seg, place.offset);
    piece.used = false;
    join(seg, piece.offset);
  }

  void emptyCache() {
    for (Seg seg : List.copyOf(segs)) {
      if (seg.pool != 0 && !destroyed.contains(seg.pool)) {
        continue;
      }
      if (seg.page == 0) {
        if (seg.pieces.size() == 1 && !seg.pieces.getFirst().used) {
          segs.remove(seg);
          calls++;
        }
      } else {
        long before = calls;
        for (Piece piece : List.copyOf(seg.pieces)) {
          unmap(seg, piece);
        }
        // Addresses that never had memory stay reserved.
        if (calls > before && seg.pieces.size() == 1 && !seg.pieces.getFirst().mapped) {
          segs.remove(seg);
        }
      }
    }
  }

  private void unmap(Seg seg, Piece piece) {
    if (piece.used || !piece.mapped || !seg.pieces.contains(piece)) {
      return;
    }
    long from = (piece.offset + seg.page - 1) / seg.page * seg.page;
    long to = (piece.offset + piece.size) / seg.page * seg.page;
    if (from >= to) {
      return;
    }
    calls++;
    int i = seg.pieces.indexOf(piece);
    seg.pieces.remove(i);
    if (to < piece.offset + piece.size) {
      seg.pieces.add(i, part(seg, to, piece.offset + piece.size, true));
    }
    seg.pieces.add(i, part(seg, from, to, false));
    if (piece.offset < from) {
      seg.pieces.add(i, part(seg, piece.offset, from, true));
    }
    join(seg, from);
  }

  private Piece part(Seg seg, long from, long to, boolean mapped) {
    Piece part = new Piece();
    part.offset = from;
    part.size = to - from;
    part.mapped = mapped;
    part.freedAt = searches.getOrDefault(key(seg.small, seg.pool), 0L);
    return part;
  }

  private void collectGarbage() {
    long target = (long) (threshold * allowed());
    long excess = reserved() - target;
    if (excess <= 0) {
      return;
    }
    List<Seg> whole = new ArrayList<>();
    for (Seg seg : segs) {
      if (seg.pool == 0
          && !seg.small
          && seg.pieces.size() == 1
          && !seg.pieces.getFirst().used
          && seg.pieces.getFirst().mapped) {
        whole.add(seg);
      }
    }
    long now = searches.getOrDefault(key(false, 0), 0L);
    long released = 0;
    boolean progress = true;
    while (released < excess && progress && !whole.isEmpty()) {
      double average =
          whole.stream().mapToLong(s -> now - s.pieces.getFirst().freedAt).sum()
              / (double) whole.size();
      progress = false;
      for (Seg seg : List.copyOf(whole)) {
        if (seg.page == 0 && now - seg.pieces.getFirst().freedAt >= average) {
          released += seg.held();
          segs.remove(seg);
          whole.remove(seg);
          calls++;
          progress = true;
        }
      }
    }
  }

  private boolean releaseOversize(long size, boolean small, long stream, long pool) {
    if (maxSplit == Long.MAX_VALUE) {
      return false;
    }
    long needed = Math.max(size, maxSplit);
    List<Found> all = free(small, stream, pool);
    int i = 0;
    while (i < all.size() && all.get(i).piece.size < needed) {
      i++;
    }
    if (i < all.size() && isWhole(all.get(i).seg)) {
      segs.remove(all.get(i).seg);
      calls++;
      return true;
    }
    long released = 0;
    for (i--; i >= 0 && released < needed && all.get(i).piece.size >= maxSplit; i--) {
      if (isWhole(all.get(i).seg)) {
        released += all.get(i).piece.size;
        segs.remove(all.get(i).seg);
        calls++;
      }
    }
    return released >= needed;
  }

  private static boolean isWhole(Seg seg) {
    return seg.page == 0 && seg.pieces.size() == 1;
  }
}
