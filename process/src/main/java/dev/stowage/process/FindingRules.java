package dev.stowage.process;

import dev.stowage.process.MemoryFinding.Remedy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** The rules for unnecessary memory, and for memory of unknown purpose. */
final class FindingRules {

  /*
   * Each rule has a test with a program that shows the symptom, and the effect of the remedy.
   *
   *   free pages of the C library          malloc_trim, TrimNativeHeapInterval, MALLOC_ARENA_MAX
   *   garbage (after --gc), and free memory of the Java heap    a smaller heap, a periodic collection
   *   a heap that can grow beyond the limit of the container    MaxRAMPercentage
   *   direct buffers without a limit of their own               MaxDirectMemorySize
   *   a limit of direct buffers that is nearly used up          MaxDirectMemorySize
   *   memory of ONNX Runtime                                    no arena, a shrinking arena, a budget
   *   free memory of Stowage's allocators                       trim()
   *
   * For memory of unknown purpose, the remedies find the purpose, and return no bytes.
   */

  /** A finding has at least this share of the resident bytes. */
  private static final double LEAST_SHARE = 0.05;

  private static final long LEAST_BYTES = 16L << 20;

  /** A setting is a remedy for at least this share of the resident bytes. */
  private static final double LEAST_SETTING_SHARE = 0.1;

  /** A limit is nearly used up if at least this share is in use. */
  private static final double LARGE_LIMIT_SHARE = 0.9;

  /** Memory of unknown purpose is a finding above this share of the resident bytes. */
  private static final double LARGE_SHARE = 0.25;

  private static final long LARGE_BYTES = 64L << 20;

  /** A limit exceeds the measured size by this share. */
  private static final double RESERVE = 0.25;

  /** A heap of this multiple of its live objects has room for garbage between collections. */
  private static final int HEAP_PER_LIVE = 2;

  private static final long LEAST_HEAP_BYTES = 32L << 20;

  /** MaxRAMPercentage does not make a heap smaller than this. */
  private static final long LEAST_SHARED_HEAP_BYTES = 128L << 20;

  private static final long MIB = 1L << 20;

  private final ProcessDump dump;
  private final DumpFigures figures;
  private final VmFlags flags;
  private final List<OwnedMemory> parts;
  private final long residentBytes;
  private final List<Ranked> findings = new ArrayList<>();

  /**
   * A finding.
   *
   * @param bytes the bytes that it concerns; its remedies return some of them
   * @param rank 0 for a known cause of a tenth of the memory, 1 for others
   */
  private record Ranked(MemoryFinding finding, long bytes, int rank) {}

  private FindingRules(ProcessDump dump, DumpFigures figures, List<OwnedMemory> parts) {
    this.dump = dump;
    this.figures = figures;
    this.parts = parts;
    flags = figures.flags;
    residentBytes = parts.stream().mapToLong(OwnedMemory::bytes).sum();
  }

  /**
   * {@return the findings: known causes of a tenth of the memory first, then by descending bytes}
   */
  static List<MemoryFinding> of(ProcessDump dump, DumpFigures figures, List<OwnedMemory> parts) {
    FindingRules findings = new FindingRules(dump, figures, parts);
    findings.findFreePages();
    findings.findFreeHeap();
    findings.findLimit();
    findings.findDirectBuffers();
    findings.findFreeChunks();
    if (dump.hasVm()) {
      findings.findRequests();
      findings.findUnknownMappings();
    }
    return findings.findings.stream()
        .sorted(
            Comparator.comparingInt(Ranked::rank)
                .thenComparing(Comparator.comparingLong(Ranked::bytes).reversed()))
        .map(Ranked::finding)
        .toList();
  }

  private boolean isSmall(long bytes) {
    return bytes < Math.max(LEAST_BYTES, LEAST_SHARE * residentBytes);
  }

  private boolean isLarge(long bytes) {
    return bytes > Math.max(LARGE_BYTES, LARGE_SHARE * residentBytes);
  }

  private long bytes(MemoryOwner owner) {
    return parts.stream().filter(part -> part.owner() == owner).mapToLong(OwnedMemory::bytes).sum();
  }

  private void findFreePages() {
    Optional<NativeHeap> heap = figures.nativeHeap;
    long free = heap.map(known -> known.trimmedBytes(bytes(MemoryOwner.C_HEAP))).orElse(0L);
    if (heap.isEmpty() || isSmall(free)) {
      return;
    }
    List<Remedy> remedies = new ArrayList<>();
    remedies.add(now("stowage who " + pid() + " --trim", ""));
    if (flags.number("TrimNativeHeapInterval").isEmpty()) {
      remedies.add(atStart("-XX:TrimNativeHeapInterval=60000"));
    }
    remedies.add(atStart("MALLOC_ARENA_MAX=2", "in the environment"));
    remedies.add(atStart("LD_PRELOAD=libjemalloc.so.2", "another allocator, which keeps less"));
    add(
        MemoryOwner.C_HEAP,
        free,
        remedies,
        "The C library keeps " + mib(free) + " of free pages in " + heap.get().arenaCount() + ".");
  }

  private void findFreeHeap() {
    long resident = bytes(MemoryOwner.JAVA_HEAP);
    OptionalLong objects = figures.objectBytes(resident);
    OptionalLong live = figures.liveBytes(resident);
    if (objects.isEmpty()) {
      return;
    }
    long free = resident - objects.getAsLong();
    if (live.isPresent()) {
      long most = wholeMib(Math.max(LEAST_HEAP_BYTES, HEAP_PER_LIVE * live.getAsLong()));
      if (!isSmall(resident - most)) {
        add(
            MemoryOwner.JAVA_HEAP,
            resident - most,
            List.of(atStart(heapSetting(most))),
            sentence("Of %s of the Java heap, %s are live objects.", resident, live.getAsLong()));
      }
    } else if (!isSmall(free) && free > resident / 2) {
      add(
          MemoryOwner.JAVA_HEAP,
          free,
          remediesOfFreeHeap(objects.getAsLong()),
          sentence("%s of the Java heap are free, and the collector keeps their pages.", free));
    }
  }

  private List<Remedy> remediesOfFreeHeap(long objectBytes) {
    List<Remedy> remedies = new ArrayList<>();
    if (flags.isOn("UseG1GC") && flags.number("G1PeriodicGCInterval").isEmpty()) {
      // The collector does not shrink the heap below -Xms.
      long most = wholeMib(Math.max(LEAST_HEAP_BYTES, HEAP_PER_LIVE * objectBytes));
      boolean isKept = flags.number("MinHeapSize").orElse(firstHeapBytes()) > most;
      remedies.add(
          atStart((isKept ? "-Xms" + size(most) + " " : "") + "-XX:G1PeriodicGCInterval=60000"));
    }
    remedies.add(now("stowage who " + pid() + " --gc", "finds a smaller -Xmx"));
    return remedies;
  }

  /** Compares the largest heap and the memory outside of it with the limit of the container. */
  private void findLimit() {
    OptionalLong limit = figures.cgroup.map(CgroupMemory::limitBytes).orElse(OptionalLong.empty());
    OptionalLong heap = flags.number("MaxHeapSize");
    if (limit.isEmpty() || heap.isEmpty()) {
      return;
    }
    long outside = residentBytes - bytes(MemoryOwner.JAVA_HEAP);
    long beyond = heap.getAsLong() + outside - limit.getAsLong();
    if (beyond <= 0) {
      return;
    }
    add(
        MemoryOwner.JAVA_HEAP,
        beyond,
        heap.getAsLong(),
        remediesOfLimit(limit.getAsLong(), outside),
        sentence(
            "The heap may grow to %s. With %s outside of it, that is %s more than the limit of the"
                + " container (%s).",
            heap.getAsLong(), outside, beyond, limit.getAsLong()));
  }

  private List<Remedy> remediesOfLimit(long limitBytes, long outsideBytes) {
    long heapBytes = limitBytes - limit(outsideBytes);
    long live = figures.liveBytes(bytes(MemoryOwner.JAVA_HEAP)).orElse(0);
    long leastBytes = Math.max(LEAST_HEAP_BYTES, HEAP_PER_LIVE * live);
    if (heapBytes < leastBytes) {
      long most = wholeMib(leastBytes);
      return List.of(
          atStart(
              heapSetting(most),
              sentence("and a limit of %s for the container", limit(outsideBytes) + most)));
    }
    List<Remedy> remedies = new ArrayList<>();
    // MaxRAMPercentage has no effect on small heaps, in small containers, and below -Xms.
    remedies.add(
        heapBytes < LEAST_SHARED_HEAP_BYTES
                || limitBytes < 2 * LEAST_SHARED_HEAP_BYTES
                || firstHeapBytes() > heapBytes
            ? atStart(heapSetting(heapBytes))
            : atStart("-XX:MaxRAMPercentage=" + heapBytes * 100 / limitBytes, "without -Xmx"));
    long known = directBytes(figures.tracked);
    long direct = limit(known > 0 ? known : bytes(MemoryOwner.LARGE_BLOCKS));
    // The default limit is the largest heap, which the first remedy reduces.
    if (flags.number("MaxDirectMemorySize").orElse(0) == 0 && direct > heapBytes) {
      remedies.add(atStart("-XX:MaxDirectMemorySize=" + direct / MIB + "m"));
    }
    return remedies;
  }

  /** {@return -Xmx, and a new -Xms if the present one is larger, which would be an error} */
  private String heapSetting(long bytes) {
    String most = "-Xmx" + size(bytes);
    return firstHeapBytes() > bytes ? "-Xms" + size(bytes) + " " + most : most;
  }

  /** {@return the initial size of the heap, which -Xms sets; 0 if it is not known} */
  private long firstHeapBytes() {
    return flags.number("InitialHeapSize").orElse(0);
  }

  /** {@return a size in an option, in whole MiB} */
  private static String size(long bytes) {
    return bytes / MIB + "m";
  }

  private static long wholeMib(long bytes) {
    return (bytes + MIB - 1) / MIB * MIB;
  }

  private void findDirectBuffers() {
    long direct = directBytes(figures.tracked);
    long most = flags.number("MaxDirectMemorySize").orElse(0);
    if (most > 0) {
      findUsedLimit(direct, most);
      return;
    }
    if (isSmall(direct) || direct < LEAST_SETTING_SHARE * residentBytes) {
      return;
    }
    OptionalLong heap = flags.number("MaxHeapSize");
    String growth =
        heap.isPresent() ? sentence(", so that they may grow to %s", heap.getAsLong()) : "";
    String collected = dump.section(ProcessDump.COLLECTED_TRACKING);
    String cause = sentence("Direct buffers and arenas have %s.", direct);
    List<Remedy> remedies = new ArrayList<>();
    long live = direct;
    if (!collected.isEmpty()) {
      live = Math.min(direct, directBytes(TrackedMemory.of(collected)));
      cause =
          sentence(
              "Of %s of direct buffers and arenas, %s were left after the collection.",
              direct, live);
      // Between two batches, a collection can leave less than a batch needs.
      String samples = "stowage who " + pid() + " --every 1s --for 10m";
      remedies.add(now(samples, "finds the peak"));
    }
    remedies.add(atStart("-XX:MaxDirectMemorySize=" + limit(direct) / MIB + "m"));
    add(
        MemoryOwner.LARGE_BLOCKS,
        direct - live,
        direct,
        remedies,
        cause + " Direct buffers have no limit of their own" + growth + ".");
  }

  /** Finds a limit of direct buffers that is nearly used up, so that the next request may fail. */
  private void findUsedLimit(long direct, long most) {
    // Native Memory Tracking counts arenas of the FFM API, too, which have no limit.
    if (direct >= LARGE_LIMIT_SHARE * most) {
      add(
          MemoryOwner.LARGE_BLOCKS,
          0,
          direct,
          List.of(atStart("-XX:MaxDirectMemorySize=" + limit(direct) / MIB + "m")),
          sentence(
              "Direct buffers and arenas have %s, and the limit of direct buffers is %s, so that the"
                  + " next request may fail.",
              direct, most));
    }
  }

  /** {@return the bytes of direct buffers and arenas; 0 if they are not known} */
  private long directBytes(TrackedMemory tracked) {
    return tracked.bufferBytes().orElseGet(() -> figures.directBytes.orElse(0));
  }

  private void findFreeChunks() {
    for (MemoryBeans.Allocator allocator :
        MemoryBeans.allocators(dump.section(ProcessDump.BEANS))) {
      if (!isSmall(allocator.freeBytes())) {
        add(
            MemoryOwner.STOWAGE,
            allocator.freeBytes(),
            List.of(now("trim()", "of the allocator, or its operation by JMX")),
            "The allocator '"
                + allocator.name()
                + sentence("' holds %s that are not in use.", allocator.freeBytes()));
      }
    }
  }

  /** Finds requests to the C library that neither Native Memory Tracking nor Java counts. */
  private void findRequests() {
    boolean knowsFree = figures.nativeHeap.isPresent() && figures.shapes.allocator().isEmpty();
    long heap = bytes(MemoryOwner.C_HEAP);
    long requested =
        bytes(MemoryOwner.LARGE_BLOCKS)
            + (knowsFree ? Math.min(heap, figures.nativeHeap.get().inUseBytes()) : heap);
    boolean isTracked = !figures.tracked.requests().isEmpty();
    long counted = isTracked ? figures.tracked.requestBytes() : figures.directBytes.orElse(0);
    if (figures.shapes.hasLibrary("libonnxruntime.so")) {
      findEngine(Math.max(0, requested - counted), isTracked || figures.directBytes.isPresent());
      return;
    }
    if (!isLarge(requested - counted)) {
      return;
    }
    List<String> purposes = new ArrayList<>();
    if (!isTracked && figures.directBytes.isEmpty()) {
      purposes.add("direct buffers");
    }
    if (!isTracked) {
      purposes.addAll(List.of("arenas of the FFM API", "the virtual machine"));
    }
    purposes.add("native libraries");
    add(
        figures.requestOwner(this::bytes),
        0,
        requested - counted,
        waysToThePurpose(isTracked),
        (knowsFree
                ? "Requests to the C library have " + mib(requested) + "."
                : mib(requested) + " are in the C heap, in use or free.")
            + (counted > 0
                ? " "
                    + (isTracked ? "Native Memory Tracking counts " : "Direct buffers have ")
                    + mib(counted)
                    + " of them. The others"
                : " They")
            + " can be of "
            + alternatives(purposes)
            + ".");
  }

  /** Finds the memory that sessions of ONNX Runtime keep. */
  private void findEngine(long bytes, boolean isCounted) {
    add(
        figures.requestOwner(this::bytes),
        0,
        bytes,
        List.of(
            now("stowage budget model.onnx --remedies", "measures settings with your model"),
            atStart("setCPUArenaAllocator(false)", "in the options of the session: no arena"),
            atStart(
                "memory.enable_memory_arena_shrinkage=cpu:0",
                "in the options of a run, which shrinks the arena after it"),
            atStart("an allocator of Stowage", "for the sessions, which has limits and trims")),
        "ONNX Runtime is loaded, and its arenas keep the memory of the largest request. "
            + mib(bytes)
            + (isCounted
                ? " of native memory that Java does not count can be of its models and arenas."
                : " of native memory can be of its models and arenas, or of direct buffers."));
  }

  private void findUnknownMappings() {
    long unknown = bytes(MemoryOwner.NOT_ATTRIBUTED);
    boolean isTracked = !figures.tracked.requests().isEmpty();
    boolean hasRequests = figures.nativeHeap.isEmpty();
    // These mappings include the counted requests that exceed the C heap.
    long counted =
        hasRequests
            ? Math.max(
                0,
                figures.tracked.requestBytes()
                    - bytes(MemoryOwner.C_HEAP)
                    - bytes(MemoryOwner.LARGE_BLOCKS))
            : 0;
    if (!isLarge(unknown - counted)) {
      return;
    }
    boolean hasUses = figures.ranges.hasUses();
    boolean hasNoList = !hasUses && !dump.section(ProcessDump.MAP).contains(ProcessDump.UNTRACKED);
    List<String> owners = new ArrayList<>();
    if (hasRequests) {
      owners.add("large requests to the C library");
    }
    if (!hasUses) {
      owners.add("tables of the collector");
    }
    owners.add("native libraries");
    List<Remedy> ways = new ArrayList<>(waysToThePurpose(isTracked));
    if (hasNoList) {
      ways.add(atStart("JDK 24 or newer", "which lists its mappings"));
    }
    add(
        MemoryOwner.NOT_ATTRIBUTED,
        0,
        unknown,
        ways,
        mib(unknown) + " are not attributed. They can be of " + alternatives(owners) + ".");
  }

  private List<Remedy> waysToThePurpose(boolean isTracked) {
    Remedy samples =
        now("stowage who " + pid() + " --every 10s --for 10m", "tells whether they grow");
    return isTracked
        ? List.of(samples)
        : List.of(samples, atStart("-XX:NativeMemoryTracking=summary", "tells their purpose"));
  }

  private static String alternatives(List<String> words) {
    int last = words.size() - 1;
    return last == 0
        ? words.getFirst()
        : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }

  /** {@return a limit for a measured size, with a reserve, in whole MiB} */
  private static long limit(long measuredBytes) {
    return (long) Math.ceil(measuredBytes * (1 + RESERVE) / MIB) * MIB;
  }

  private long pid() {
    return figures.status.pid();
  }

  private void add(MemoryOwner owner, long bytes, List<Remedy> remedies, String sentence) {
    add(owner, bytes, bytes, remedies, sentence);
  }

  /** Adds a finding that concerns more bytes than the remedies return. */
  private void add(
      MemoryOwner owner, long bytes, long concerned, List<Remedy> remedies, String sentence) {
    List<Remedy> possible =
        remedies.stream().filter(remedy -> remedy.needsRestart() || !dump.hasEnded()).toList();
    boolean isFirst =
        concerned >= LEAST_SETTING_SHARE * residentBytes
            && !remedies.getFirst().setting().contains(" --every 10s");
    findings.add(
        new Ranked(
            new MemoryFinding(owner, sentence, bytes, possible), concerned, isFirst ? 0 : 1));
  }

  private static Remedy now(String setting, String advice) {
    return new Remedy(setting, advice, false);
  }

  private static Remedy atStart(String setting) {
    return atStart(setting, "");
  }

  private static Remedy atStart(String setting, String advice) {
    return new Remedy(setting, advice, true);
  }

  /** {@return a sentence with sizes in MiB in the places of %s} */
  private static String sentence(String format, long... bytes) {
    Object[] sizes = Arrays.stream(bytes).mapToObj(FindingRules::mib).toArray();
    return String.format(Locale.ROOT, format, sizes);
  }

  private static String mib(long bytes) {
    return String.format(Locale.ROOT, "%,d MiB", Math.round(bytes / (double) MIB));
  }
}
