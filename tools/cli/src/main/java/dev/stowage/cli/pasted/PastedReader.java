package dev.stowage.cli.pasted;

import dev.stowage.cli.failure.Failure;
import dev.stowage.cli.failure.FailureLines;
import dev.stowage.cli.failure.FailurePart;
import dev.stowage.cli.failure.FailureProgram;
import dev.stowage.cli.failure.FailureReader;
import dev.stowage.cli.pasted.PastedMemory.CHeap;
import dev.stowage.cli.pasted.PastedMemory.Killed;
import dev.stowage.cli.pasted.PastedMemory.Resident;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.process.NativeTracking;
import dev.stowage.process.ProcessDump;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A reader of pasted texts, of any kinds in any order. */
public final class PastedReader {

  /*
   * Each line has a form of its own, so that no text needs a mark. Where the texts give a figure more
   * than once, the more exact one counts, and then the later one.
   */

  private static final Pattern PID =
      Pattern.compile(
          "^\\d{1,9}(?=:$|: +/)|(?<=\\bjcmd )\\d{1,9}(?= )|(?<=/proc/)\\d{1,9}(?=/)|(?<=^Pid: )\\d{1,9}$");

  /**
   * The lines with figures, with {@code #} for digits. The name of a group is that of the figure,
   * with its unit: K is KiB, M is MiB, B is bytes, and all others are words.
   */
  private static final List<Pattern> FIGURES =
      Stream.of(
              "^VmRSS: (?<statusK>#) kB$",
              "^RssAnon: (?<statusAnonymousK>#) kB$",
              "^RssFile: (?<statusFilesK>#) kB$",
              "^RssShmem: (?<statusSharedK>#) kB$",
              "^Resident Set Size: (?<infoK>#)K(?:.*?\\(anon: (?<infoAnonymousK>#)K, file:"
                  + " (?<infoFilesK>#)K, shmem: (?<infoSharedK>#)K\\))?",
              "^C-Heap outstanding allocations: (?<outstandingK>#)K, retained:"
                  + " (?<retainedK>#)K(?<wrapped>.*wrapped)?",
              "Killed process (?<killPidB>\\d{1,9}) \\((?<killName>[^()]{1,23})\\).*?anon-rss:"
                  + "(?<killAnonymousK>#)kB, file-rss:(?<killFilesK>#)kB(?:, shmem-rss:"
                  + "(?<killSharedK>#)kB)?",
              "^memory_limit_in_bytes: (?:(?<limitK>#) k|(?<limitB>\\d{1,18}))$",
              "^memory_usage_in_bytes: (?:(?<usageK>#) k|(?<usageB>\\d{1,18}))$",
              "Memory cgroup stats.*\\bcache:(?<fileK>#)KB",
              "Memory cgroup stats.*\\brss:(?<anonK>#)KB",
              "Memory cgroup stats.*\\bswap:(?<swapK>#)KB",
              "(?:^|[\\]:] )anon (?<anonB>\\d{1,18})$",
              "(?:^|[\\]:] )file (?<fileB>\\d{1,18})$",
              "(?:^|[\\]:] )kernel (?<kernelB>\\d{1,18})$",
              "^Heap address: 0x\\p{XDigit}+, size: (?<heapM>\\d{1,9}) MB",
              "-XX:MaxRAMPercentage=(?<share>\\d{1,2}(?:\\.\\d{1,4})?)",
              "OutOfMemory encountered: (?<cause>.{1,60})")
          .map(PastedReader::pattern)
          .toList();

  /** Figures that a single mapping has, too. */
  private static final List<Pattern> ROLLUP =
      Stream.of("^Rss: (?<rollupK>#) kB$", "^Anonymous: (?<rollupAnonymousK>#) kB$")
          .map(PastedReader::pattern)
          .toList();

  /** The parts of a control group that do not contain each other; after {@code memcontrol.c}. */
  private static final Map<String, String> GROUP_PARTS =
      new TreeMap<>(
          Map.of(
              "anon", "anonymous memory",
              "file", "page cache",
              "kernel", "memory of the kernel",
              "swap", "swap"));

  private static final Pattern HEAP =
      Pattern.compile(
          "(?:def new|tenured|garbage-first|PSYoungGen|ParOldGen|ZHeap|Shenandoah|Metaspace|class"
              + " space).* (?:used|committed) .*");
  private static final Pattern OPTION =
      Pattern.compile("-(Xmx|XX:(?:MaxDirectMemorySize|MaxHeapSize)=)(\\d{1,12})([kmgtKMGT]?)");
  private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use\\w+GC\\b");
  private static final Pattern NAME = Pattern.compile("Name: (\\S{1,32})");

  private final List<String> lines = new ArrayList<>();
  private final PastedMappings mappings = new PastedMappings();
  private final PastedPod pod = new PastedPod();
  private final PastedProcesses processes = new PastedProcesses();
  private final Map<String, Long> figures = new HashMap<>();
  private final Map<String, String> words = new HashMap<>();
  private final Map<String, Long> pids = new HashMap<>();
  private final List<String> heap = new ArrayList<>();
  private final Map<String, Long> flags = new LinkedHashMap<>();
  private final StringBuilder options = new StringBuilder();
  private String name = "";
  private long pid;
  private long trackedPid;
  private boolean isHistory;

  private PastedReader() {}

  private static Pattern pattern(String form) {
    return Pattern.compile(form.replace("#", "\\d{1,15}"));
  }

  /**
   * {@return the figures of texts; empty if they have none}
   *
   * @param texts the contents of files, in their order
   */
  public static Optional<PastedMemory> read(List<byte[]> texts) throws IOException {
    PastedReader reader = new PastedReader();
    for (byte[] text : texts) {
      FailureLines all = new FailureLines(new ByteArrayInputStream(text));
      while (all.next()) {
        reader.read(all.text(0, 1));
      }
    }
    PastedMemory memory = reader.memory();
    boolean isEmpty =
        memory.resident().isEmpty()
            && !memory.tracking().total().reserved().isKnown()
            && memory.tracking().purposes().isEmpty()
            && memory.limitBytes().isEmpty()
            && memory.cHeap().isEmpty()
            && memory.killed().isEmpty()
            && memory.pod().isEmpty()
            && memory.group().isEmpty()
            && memory.arenas().isEmpty();
    return isEmpty ? Optional.empty() : Optional.of(memory);
  }

  private void read(String line) {
    lines.add(line);
    Matcher number = PID.matcher(line);
    if (number.find()) {
      pid = Long.parseLong(number.group());
    }
    pod.read(line);
    processes.read(line);
    if (!mappings.read(line)) {
      FIGURES.forEach(form -> readFigures(form, line));
      if (!mappings.isInMapping()) {
        ROLLUP.forEach(form -> readFigures(form, line));
      }
      readName(line);
      readHeap(line);
    }
    if (line.startsWith("Total: reserved=")) {
      trackedPid = pid;
    }
  }

  private void readFigures(Pattern form, String line) {
    Matcher found = form.matcher(line);
    if (!found.find()) {
      return;
    }
    for (String group : form.namedGroups().keySet()) {
      words.remove(group);
      figures.remove(group.substring(0, group.length() - 1));
    }
    for (String group : form.namedGroups().keySet()) {
      String text = found.group(group);
      int power = "BKM".indexOf(group.charAt(group.length() - 1));
      if (text != null && power < 0) {
        words.put(group, text);
      } else if (text != null) {
        String figure = group.substring(0, group.length() - 1);
        figures.put(figure, Long.parseLong(text) << (10 * power));
        pids.put(figure, pid);
      }
    }
  }

  private OptionalLong figure(String figure) {
    return figures.containsKey(figure)
        ? OptionalLong.of(figures.get(figure))
        : OptionalLong.empty();
  }

  private void readName(String line) {
    Matcher ofName = NAME.matcher(line);
    if (line.startsWith("Namespace: ")) {
      name = ""; // the name before it was that of a pod
    } else if (ofName.matches() && name.isEmpty()) {
      name = ofName.group(1);
    }
  }

  private void readHeap(String line) {
    isHistory = line.startsWith("{Heap") || (isHistory && !line.startsWith("}"));
    if (line.equals("Heap:")) {
      heap.clear();
    } else if (HEAP.matcher(line).matches() && !isHistory) {
      heap.add(line);
    }
    Matcher option = OPTION.matcher(line);
    while (option.find()) {
      String unit = option.group(3).toUpperCase(Locale.ROOT);
      long bytes =
          Long.parseLong(option.group(2)) << (unit.isEmpty() ? 0 : 10 * (1 + "KMGT".indexOf(unit)));
      boolean isDirect = option.group(1).contains("Direct");
      flags.put(isDirect ? "MaxDirectMemorySize" : "MaxHeapSize", bytes);
    }
    Matcher collector = COLLECTOR.matcher(line);
    if (collector.find() && options.isEmpty()) {
      options.append(' ').append(collector.group());
    }
  }

  private PastedMemory memory() throws IOException {
    String text = String.join("\n", lines) + "\n";
    Optional<PastedPod.Container> container = pod.container();
    container
        .map(PastedPod.Container::limitBytes)
        .ifPresent(limit -> limit.ifPresent(bytes -> figures.put("limit", bytes)));
    Optional<Killed> victim = victim(text);
    OptionalLong limit = figure("limit");
    if (words.containsKey("share") && limit.isPresent()) {
      double share = Double.parseDouble(words.get("share"));
      flags.putIfAbsent("MaxHeapSize", (long) (limit.getAsLong() / 100.0 * share));
    }
    OptionalLong most =
        flags.containsKey("MaxHeapSize")
            ? OptionalLong.of(flags.get("MaxHeapSize"))
            : figure("heap");
    return new PastedMemory(
        resident(),
        NativeTracking.of(text),
        trackedPid,
        limit,
        cHeap(),
        victim,
        container.map(
            known -> new PastedMemory.Container(known.name(), known.isInit(), known.isKilled())),
        words.getOrDefault("cause", ""),
        most,
        groupSentences(),
        mappings.arenas(),
        dump(text));
  }

  /** {@return sentences on the group and its largest process; empty if the texts have neither} */
  private String groupSentences() {
    String parts =
        GROUP_PARTS.entrySet().stream()
            .filter(part -> figures.getOrDefault(part.getKey(), 0L) > 0)
            .map(part ->
                ByteUnit.human(figures.getOrDefault(part.getKey(), 0L)) + " of " + part.getValue())
            .collect(Collectors.joining(", "));
    return (parts.isEmpty() ? "" : "The group has " + parts + ". ") + processes.largest();
  }

  private Optional<CHeap> cHeap() {
    return figures.containsKey("retained")
        ? Optional.of(
            new CHeap(
                figures.getOrDefault("outstanding", 0L),
                figures.getOrDefault("retained", 0L),
                words.containsKey("wrapped")))
        : Optional.empty();
  }

  /** {@return the process that the kernel has killed, after the reader of its messages} */
  private Optional<Killed> victim(String text) throws IOException {
    Optional<Failure> failure =
        FailureReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
            .last()
            .filter(last ->
                last.program() == FailureProgram.CONTAINER
                    || last.program() == FailureProgram.MACHINE);
    failure
        .flatMap(last -> last.numbers().get(FailurePart.LIMIT))
        .ifPresent(bytes -> figures.putIfAbsent("limit", bytes.bytes()));
    return failure
        .filter(last -> last.kind().equals("message of Linux"))
        .map(last ->
            new Killed(
                words.containsKey("killName")
                    ? words.get("killName") + " (" + figures.getOrDefault("killPid", 0L) + ")"
                    : last.detail(),
                last.program() == FailureProgram.CONTAINER));
  }

  private Optional<Resident> resident() {
    if (!mappings.all().isEmpty()) {
      long known = pids.getOrDefault("status", pids.getOrDefault("rollup", 0L));
      return Optional.of(
          new Resident("mappings", mappings.residentBytes(), Map.of(), known == 0 ? pid : known));
    }
    return resident("smaps_rollup", "rollup")
        .or(() -> resident("status", "status"))
        .or(() -> resident("kernel", "kill"))
        .or(() -> resident("VM.info", "info"));
  }

  private Optional<Resident> resident(String source, String figure) {
    Map<String, Long> parts = new LinkedHashMap<>();
    figure(figure + "Anonymous").ifPresent(bytes -> parts.put("anonymous", bytes));
    figure(figure + "Files").ifPresent(bytes -> parts.put("files", bytes));
    figure(figure + "Shared").ifPresent(bytes -> parts.put("shared_memory", bytes));
    if (figure.equals("kill") && !parts.isEmpty()) {
      long sum = parts.values().stream().mapToLong(Long::longValue).sum();
      return Optional.of(new Resident(source, sum, parts, figures.getOrDefault("killPid", 0L)));
    }
    if (!figures.containsKey(figure)) {
      return Optional.empty();
    }
    long bytes = figures.get(figure);
    if (figure.equals("rollup") && !parts.isEmpty()) {
      parts.put("files", bytes - parts.getOrDefault("anonymous", 0L));
    }
    return Optional.of(new Resident(source, bytes, parts, pids.getOrDefault(figure, 0L)));
  }

  /** {@return the texts as a dump; empty if they do not have all mappings} */
  private Optional<ProcessDump> dump(String text) {
    List<String> all = mappings.all();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    flags.forEach((flag, bytes) -> options.append(" -XX:" + flag + "=" + bytes));
    StringBuilder dump = new StringBuilder();
    section("smaps", String.join("\n", all), dump);
    section("status", "Name: " + (name.isEmpty() ? "java" : name) + "\nPid: " + pid, dump);
    section("GC.heap_info", String.join("\n", heap), dump);
    section("VM.flags", options.toString(), dump);
    section("VM.native_memory", text, dump);
    section(pid == 0 ? "ended" : "pasted", "", dump);
    section("pasted", "", dump);
    figure("limit").ifPresent(bytes -> section("memory.max", Long.toString(bytes), dump));
    // The group has at least the bytes of the process.
    long used = figures.getOrDefault("usage", mappings.residentBytes());
    section("memory.current", Long.toString(used), dump);
    return Optional.of(ProcessDump.parse(dump.toString()));
  }

  private static void section(String name, String content, StringBuilder dump) {
    dump.append("== ").append(name).append('\n').append(content).append('\n');
  }
}
