package dev.stowage.process;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The rules that find the cause of a growth. docs/who.md has a short table of them. */
final class GrowthRules {

  /*
   * A part grows if its last sample exceeds its first one by the least bytes, and the median of the
   * last third exceeds the median of the first third as much. The cause is a figure with at least
   * half of the growth. In the Java heap, objects can also grow while the resident bytes stay.
   */

  private final GrowthSeries series;
  private final long leastBytes;
  private final List<GrowthVerdict> verdicts = new ArrayList<>();

  /**
   * Creates the rules for samples.
   *
   * @param leastBytes the least growth that has a verdict
   */
  GrowthRules(GrowthSeries series, long leastBytes) {
    this.series = series;
    this.leastBytes = leastBytes;
  }

  /** {@return the verdicts on parts, the largest growth first} */
  List<GrowthVerdict> verdicts(List<OwnerGrowth> parts) {
    parts.stream().filter(part -> part.bytes().isAtLeast(leastBytes)).forEach(this::add);
    addClasses();
    addJavaHeap(
        parts.stream()
            .filter(part -> part.owner() == MemoryOwner.JAVA_HEAP)
            .map(OwnerGrowth::bytes)
            .filter(bytes -> bytes.isAtLeast(leastBytes))
            .findFirst());
    verdicts.sort(
        Comparator.comparingLong((GrowthVerdict verdict) -> verdict.bytes().growthBytes())
            .reversed());
    return List.copyOf(verdicts);
  }

  private void add(OwnerGrowth part) {
    switch (part.owner()) {
      case C_HEAP -> addArenas(part);
      case LARGE_BLOCKS -> addRequests(part, part.bytes().risenBytes() / 2);
      case THREAD_STACKS -> addStacks(part);
      case CODE_CACHE -> add(part, GrowthCause.COMPILED_CODE);
      case GC_STRUCTURES -> add(part, GrowthCause.GC_TABLES);
      case OTHER_VM -> add(part, GrowthCause.VM_MEMORY);
      case STOWAGE -> add(part, GrowthCause.STOWAGE_REGIONS);
      case MAPPED_FILES -> add(part, GrowthCause.FILE_PAGES);
      case LIBRARIES, SHARED_CLASSES -> add(part, GrowthCause.LIBRARY_PAGES);
      case SHARED_MEMORY -> add(part, GrowthCause.SHARED_PAGES);
      case NOT_ATTRIBUTED -> addMappings(part);
      case JAVA_HEAP, METASPACE, CLASS_SPACE -> {} // have rules of their own
    }
  }

  private void add(OwnerGrowth part, GrowthCause cause) {
    add(part.owner().title(), part.owner(), part.bytes(), cause, cause.explanation());
  }

  private void add(
      String subject, MemoryOwner owner, ByteGrowth bytes, GrowthCause cause, String explanation) {
    verdicts.add(new GrowthVerdict(subject, List.of(owner), bytes, cause, explanation));
  }

  private void addArenas(OwnerGrowth part) {
    long half = part.bytes().risenBytes() / 2;
    Optional<ByteGrowth> inUse = series.growth(SampleFigure.ARENAS_IN_USE);
    Optional<ByteGrowth> free = series.growth(SampleFigure.ARENAS_FREE);
    if (inUse.isEmpty() || free.isEmpty()) {
      if (hasRequestsOf(half)) {
        addRequests(part, half);
      } else {
        add(part, series.hasOtherAllocator() ? GrowthCause.OTHER_ALLOCATOR : GrowthCause.UNKNOWN);
      }
    } else if (inUse.get().risenBytes() >= half) {
      addRequests(part, inUse.get().risenBytes() / 2);
    } else {
      add(
          part,
          free.get().risenBytes() >= half ? GrowthCause.FRAGMENTATION : GrowthCause.FIRST_USE);
      // Fragmentation does not hide a leak.
      if (inUse.get().isAtLeast(leastBytes)) {
        addRequests("C heap in use", part.owner(), inUse.get(), inUse.get().risenBytes() / 2);
      }
    }
  }

  /** Without figures of the C library, memory without an owner includes large requests. */
  private void addMappings(OwnerGrowth part) {
    long half = part.bytes().risenBytes() / 2;
    if (series.growth(SampleFigure.ARENAS_IN_USE).isEmpty() && hasRequestsOf(half)) {
      addRequests(part, half);
    } else {
      add(part, GrowthCause.UNKNOWN);
    }
  }

  /** {@return true if the requests for one purpose grow by at least this number of bytes} */
  private boolean hasRequestsOf(long bytes) {
    return series.largestRequest().filter(it -> it.bytes().risenBytes() >= bytes).isPresent();
  }

  private void addRequests(OwnerGrowth part, long leastOfCause) {
    addRequests(part.owner().title(), part.owner(), part.bytes(), leastOfCause);
  }

  /** Adds the verdict on requests to the C library. A cause grows by {@code leastOfCause}. */
  private void addRequests(String subject, MemoryOwner owner, ByteGrowth bytes, long leastOfCause) {
    Optional<ByteGrowth> direct = series.growth(SampleFigure.DIRECT_BUFFERS);
    GrowthCause cause;
    if (direct.isPresent() && direct.get().risenBytes() >= leastOfCause) {
      cause = GrowthCause.DIRECT_BUFFERS;
    } else if (!series.isTracked()) {
      cause = direct.isPresent() ? GrowthCause.ARENAS_OR_NATIVE_CODE : GrowthCause.NATIVE_REQUESTS;
    } else if (!hasRequestsOf(leastOfCause)) {
      cause = GrowthCause.NATIVE_LIBRARIES;
    } else {
      String purpose = series.largestRequest().orElseThrow().name();
      if (purpose.equals(TrackedMemory.BUFFER_PURPOSE)) {
        cause = direct.isPresent() ? GrowthCause.FFM_ARENAS : GrowthCause.BUFFERS_OR_ARENAS;
      } else {
        String explanation = "Most of the growth is '" + purpose + "'.";
        add(subject, owner, bytes, GrowthCause.VM_REQUESTS, explanation);
        return;
      }
    }
    add(subject, owner, bytes, cause, cause.explanation());
  }

  /** New threads are the cause if their stacks, at the average size, are half of the growth. */
  private void addStacks(OwnerGrowth part) {
    ByteGrowth threads = series.growth(MemorySample::threads);
    long stackBytes = part.bytes().lastBytes() / Math.max(1, threads.lastBytes());
    if (threads.risenBytes() * stackBytes >= part.bytes().risenBytes() / 2) {
      add(
          part.owner().title(),
          part.owner(),
          part.bytes(),
          GrowthCause.THREADS,
          "The number of threads grows from "
              + threads.firstBytes()
              + " to "
              + threads.lastBytes()
              + ".");
    } else {
      add(part, GrowthCause.DEEPER_STACKS);
    }
  }

  private void addClasses() {
    List<MemoryOwner> owners = List.of(MemoryOwner.METASPACE, MemoryOwner.CLASS_SPACE);
    ByteGrowth bytes = series.growth(sample -> owners.stream().mapToLong(sample::bytesOf).sum());
    if (bytes.isAtLeast(leastBytes)) {
      GrowthCause cause = GrowthCause.CLASSES;
      verdicts.add(
          new GrowthVerdict(
              "metaspace and class space", owners, bytes, cause, cause.explanation()));
    }
  }

  private void addJavaHeap(Optional<ByteGrowth> part) {
    Optional<ByteGrowth> live = series.growth(SampleFigure.LIVE_OBJECTS);
    Optional<ByteGrowth> lows =
        live.isPresent() ? Optional.empty() : series.growthOfLows(SampleFigure.OBJECTS);
    if (grows(live)) {
      addHeap("live objects of the Java heap", live.get(), GrowthCause.LIVE_OBJECTS);
    } else if (grows(lows)) {
      addHeap("objects of the Java heap", lows.get(), GrowthCause.KEPT_OBJECTS);
    } else if (part.isPresent()) {
      Optional<ByteGrowth> objects = series.growth(SampleFigure.OBJECTS);
      boolean isUndecided = live.isEmpty() && lows.isEmpty();
      if (objects.isEmpty()) {
        addHeap("Java heap", part.get(), GrowthCause.UNKNOWN);
      } else if (isUndecided && objects.get().risenBytes() >= part.get().risenBytes() / 2) {
        addHeap("Java heap", part.get(), GrowthCause.OBJECTS);
      } else {
        addHeap("Java heap", part.get(), GrowthCause.HEAP_SIZE);
      }
    }
  }

  private boolean grows(Optional<ByteGrowth> figure) {
    return figure.filter(bytes -> bytes.isAtLeast(leastBytes)).isPresent();
  }

  private void addHeap(String subject, ByteGrowth bytes, GrowthCause cause) {
    add(subject, MemoryOwner.JAVA_HEAP, bytes, cause, cause.explanation());
  }
}
