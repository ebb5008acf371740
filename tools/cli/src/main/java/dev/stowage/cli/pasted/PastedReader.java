package dev.stowage.cli.pasted;

import dev.stowage.cli.failure.Failure;
import dev.stowage.cli.failure.FailureLines;
import dev.stowage.cli.failure.FailurePart;
import dev.stowage.cli.failure.FailureProgram;
import dev.stowage.cli.failure.FailureReader;
import dev.stowage.cli.failure.PrintedBytes;
import dev.stowage.cli.pasted.PastedMemory.CHeap;
import dev.stowage.cli.pasted.PastedMemory.Killed;
import dev.stowage.cli.pasted.PastedMemory.Resident;
import dev.stowage.process.NativeTracking;
import dev.stowage.process.ProcessDump;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A reader of pasted texts, of any kinds in any order. */
public final class PastedReader {

  /*
   * Each line has a form of its own, so that no text needs a mark. Where the texts give a figure more
   * than once, the more exact one counts, and then the later one.
   */

  private static final String KIB = " (\\d{1,15}) kB";
  private static final Pattern PID =
      Pattern.compile(
          "^(\\d{1,9}):$|\\bjcmd (\\d{1,9}) |/proc/(\\d{1,9})/|^Pid: (\\d{1,9})$|^(\\d{1,9}): +/");

  private static final Pattern STATUS = Pattern.compile("(VmRSS|RssAnon|RssFile|RssShmem):" + KIB);
  private static final Pattern ROLLUP = Pattern.compile("(Rss|Anonymous):" + KIB);
  private static final Pattern PROCESS =
      Pattern.compile(
          "Resident Set Size: (\\d{1,12})K(?:.*?\\(anon: (\\d{1,12})K, file: (\\d{1,12})K, shmem:"
              + " (\\d{1,12})K\\))?.*");

  private static final Pattern C_HEAP =
      Pattern.compile(
          "C-Heap outstanding allocations: (\\d{1,12})K, retained: (\\d{1,12})K(.*wrapped.*)?.*");
  private static final Pattern KILLED =
      Pattern.compile(
          "Killed process (\\d{1,9}) \\(([^()]{1,23})\\).*?anon-rss:(\\d{1,15})kB,"
              + " file-rss:(\\d{1,15})kB(?:, shmem-rss:(\\d{1,15})kB)?");

  private static final Pattern GROUP =
      Pattern.compile("memory_(limit|usage)_in_bytes: (\\d{1,18})( k)?");
  private static final Pattern HEAP_ADDRESS =
      Pattern.compile("Heap address: 0x\\p{XDigit}+, size: (\\d{1,9}) MB.*");
  private static final Pattern HEAP =
      Pattern.compile(
          "(?:def new|tenured|garbage-first|PSYoungGen|ParOldGen|ZHeap|Shenandoah|Metaspace|class"
              + " space).* (?:used|committed) .*");

  private static final Pattern OPTION =
      Pattern.compile("-(Xmx|XX:(?:MaxDirectMemorySize|MaxHeapSize)=)(\\d{1,12})([kmgtKMGT]?)");
  private static final Pattern SHARE =
      Pattern.compile("-XX:MaxRAMPercentage=(\\d{1,2}(?:\\.\\d{1,4})?)");
  private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use\\w+GC\\b");
  private static final Pattern CAUSE = Pattern.compile("OutOfMemory encountered: (.{1,60})");
  private static final Pattern NAME = Pattern.compile("Name: (\\S{1,32})");

  private final List<String> lines = new ArrayList<>();
  private final PastedMappings mappings = new PastedMappings();
  private final PastedPod pod = new PastedPod();
  private final PastedGroup group = new PastedGroup();
  private final Map<String, Long> status = new LinkedHashMap<>();
  private final Map<String, Long> rollup = new LinkedHashMap<>();
  private final List<String> heap = new ArrayList<>();
  private final Map<String, Long> flags = new LinkedHashMap<>();
  private final StringBuilder options = new StringBuilder();
  private Optional<Resident> ofVm = Optional.empty();
  private Optional<Resident> ofKill = Optional.empty();
  private Optional<CHeap> cHeap = Optional.empty();
  private String killed = "";
  private OptionalLong limit = OptionalLong.empty();
  private OptionalLong usage = OptionalLong.empty();
  private OptionalLong heapBytes = OptionalLong.empty();
  private String name = "";
  private String cause = "";
  private String share = "";
  private long pid;
  private long trackedPid;
  private long residentPid;
  private boolean isHistory;

  private PastedReader() {}

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
      pid = numbers(number).findFirst().orElse(0L);
    }
    pod.read(line);
    group.read(line);
    if (!mappings.read(line)) {
      readProcess(line);
      readGroup(line);
      readHeap(line);
    }
    if (line.startsWith("Total: reserved=")) {
      trackedPid = pid;
    }
  }

  private static Stream<Long> numbers(Matcher found) {
    return Stream.iterate(1, group -> group <= found.groupCount(), group -> group + 1)
        .map(found::group)
        .filter(digits -> digits != null && digits.matches("\\d+"))
        .map(Long::parseLong);
  }

  private void readProcess(String line) {
    Matcher ofStatus = STATUS.matcher(line);
    Matcher ofRollup = ROLLUP.matcher(line);
    Matcher ofProcess = PROCESS.matcher(line);
    Matcher ofHeap = C_HEAP.matcher(line);
    Matcher ofName = NAME.matcher(line);
    if (ofStatus.matches()) {
      status.put(ofStatus.group(1), kib(ofStatus.group(2)));
      residentPid = pid;
    } else if (ofRollup.matches() && !mappings.isInMapping()) {
      rollup.put(ofRollup.group(1), kib(ofRollup.group(2)));
      residentPid = pid;
    } else if (ofProcess.matches()) {
      ofVm =
          Optional.of(new Resident("VM.info", kib(ofProcess.group(1)), parts(ofProcess, 2), pid));
    } else if (ofHeap.matches()) {
      cHeap =
          Optional.of(
              new CHeap(kib(ofHeap.group(1)), kib(ofHeap.group(2)), ofHeap.group(3) != null));
    } else if (ofName.matches() && name.isEmpty()) {
      name = ofName.group(1);
    } else if (line.startsWith("Namespace: ")) {
      name = ""; // the name before it was that of a pod
    }
    Matcher kill = KILLED.matcher(line);
    if (kill.find()) {
      Map<String, Long> parts = parts(kill, 3);
      killed = kill.group(2) + " (" + kill.group(1) + ")";
      long sum = parts.values().stream().mapToLong(Long::longValue).sum();
      ofKill = Optional.of(new Resident("kernel", sum, parts, Long.parseLong(kill.group(1))));
    }
    Matcher reason = CAUSE.matcher(line);
    if (reason.find()) {
      cause = reason.group(1);
    }
  }

  private static Map<String, Long> parts(Matcher found, int first) {
    Map<String, Long> parts = new LinkedHashMap<>();
    List<String> names = List.of("anonymous", "files", "shared_memory");
    for (int i = 0; i < names.size(); i++) {
      if (found.group(first + i) != null) {
        parts.put(names.get(i), kib(found.group(first + i)));
      }
    }
    return parts;
  }

  private static long kib(String digits) {
    return Long.parseLong(digits) << 10;
  }

  private void readGroup(String line) {
    Matcher known = GROUP.matcher(line);
    if (known.matches()) {
      long bytes = Long.parseLong(known.group(2)) << (known.group(3) == null ? 0 : 10);
      if (known.group(1).equals("limit")) {
        limit = OptionalLong.of(bytes);
      } else {
        usage = OptionalLong.of(bytes);
      }
    }
  }

  private void readHeap(String line) {
    isHistory = line.startsWith("{Heap") || (isHistory && !line.startsWith("}"));
    Matcher address = HEAP_ADDRESS.matcher(line);
    if (line.equals("Heap:")) {
      heap.clear();
    } else if (HEAP.matcher(line).matches() && !isHistory) {
      heap.add(line);
    } else if (address.matches()) {
      heapBytes = OptionalLong.of(Long.parseLong(address.group(1)) << 20);
    }
    Matcher option = OPTION.matcher(line);
    while (option.find()) {
      String unit = option.group(3).toUpperCase(Locale.ROOT);
      long bytes =
          Long.parseLong(option.group(2)) << (unit.isEmpty() ? 0 : 10 * (1 + "KMGT".indexOf(unit)));
      boolean isDirect = option.group(1).contains("Direct");
      flags.put(isDirect ? "MaxDirectMemorySize" : "MaxHeapSize", bytes);
    }
    Matcher percent = SHARE.matcher(line);
    if (percent.find()) {
      share = percent.group(1);
    }
    Matcher collector = COLLECTOR.matcher(line);
    if (collector.find() && options.isEmpty()) {
      options.append(' ').append(collector.group());
    }
  }

  private PastedMemory memory() throws IOException {
    String text = String.join("\n", lines) + "\n";
    Optional<PastedPod.Container> container = pod.container();
    container.ifPresent(
        known -> limit = known.limitBytes().isPresent() ? known.limitBytes() : limit);
    Optional<Killed> victim = victim(text);
    if (!share.isEmpty() && limit.isPresent() && !flags.containsKey("MaxHeapSize")) {
      flags.put("MaxHeapSize", (long) (limit.getAsLong() / 100.0 * Double.parseDouble(share)));
    }
    OptionalLong most =
        flags.containsKey("MaxHeapSize") ? OptionalLong.of(flags.get("MaxHeapSize")) : heapBytes;
    return new PastedMemory(
        resident(),
        NativeTracking.of(text),
        trackedPid,
        limit,
        cHeap,
        victim,
        container.map(
            known -> new PastedMemory.Container(known.name(), known.isInit(), known.isKilled())),
        cause,
        most,
        group.sentences(),
        mappings.arenas(),
        dump(text));
  }

  /** {@return the process that the kernel has killed, after the reader of its messages} */
  private Optional<Killed> victim(String text) throws IOException {
    Optional<Failure> failure =
        FailureReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
            .last()
            .filter(last ->
                last.program() == FailureProgram.CONTAINER
                    || last.program() == FailureProgram.MACHINE);
    if (limit.isEmpty()) {
      limit =
          failure
              .flatMap(last -> last.numbers().get(FailurePart.LIMIT))
              .map(PrintedBytes::bytes)
              .map(OptionalLong::of)
              .orElse(limit);
    }
    return failure
        .filter(last -> last.kind().equals("message of Linux"))
        .map(last ->
            new Killed(
                killed.isEmpty() ? last.detail() : killed,
                last.program() == FailureProgram.CONTAINER));
  }

  private Optional<Resident> resident() {
    if (!mappings.all().isEmpty()) {
      return Optional.of(
          new Resident(
              "mappings",
              mappings.residentBytes(),
              Map.of(),
              residentPid == 0 ? pid : residentPid));
    }
    if (rollup.containsKey("Rss")) {
      long bytes = rollup.get("Rss");
      long anonymous = rollup.getOrDefault("Anonymous", 0L);
      return Optional.of(
          new Resident(
              "smaps_rollup",
              bytes,
              rollup.containsKey("Anonymous")
                  ? Map.of("anonymous", anonymous, "files", bytes - anonymous)
                  : Map.of(),
              residentPid));
    }
    if (status.containsKey("VmRSS")) {
      Map<String, Long> parts = new LinkedHashMap<>();
      if (status.containsKey("RssAnon")) {
        parts.put("anonymous", status.get("RssAnon"));
        parts.put("files", status.getOrDefault("RssFile", 0L));
        parts.put("shared_memory", status.getOrDefault("RssShmem", 0L));
      }
      return Optional.of(new Resident("status", status.get("VmRSS"), parts, residentPid));
    }
    return ofKill.or(() -> ofVm);
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
    if (limit.isPresent()) {
      section("memory.max", Long.toString(limit.getAsLong()), dump);
    }
    if (usage.isPresent() || resident().isPresent()) {
      // The group has at least the bytes of the process.
      long used = usage.orElseGet(() -> resident().orElseThrow().bytes());
      section("memory.current", Long.toString(used), dump);
    }
    return Optional.of(ProcessDump.parse(dump.toString()));
  }

  private static void section(String name, String content, StringBuilder dump) {
    dump.append("== ").append(name).append('\n').append(content).append('\n');
  }
}
