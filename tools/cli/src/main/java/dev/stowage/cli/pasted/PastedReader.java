package dev.stowage.cli.pasted;

import dev.stowage.cli.failure.Failure;
import dev.stowage.cli.failure.FailureLines;
import dev.stowage.cli.failure.FailurePart;
import dev.stowage.cli.failure.FailureProgram;
import dev.stowage.cli.failure.FailureReader;
import dev.stowage.cli.text.RuleBlock;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Text;
import dev.stowage.process.NativeTracking;
import dev.stowage.process.ProcessDump;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A reader of pasted texts. They may have any kinds and any order. */
public final class PastedReader {

  /*
   * The form of a line shows its kind, so that no text needs a mark. If the texts give a figure
   * more than once, the more exact value counts. Of two equally exact values, the later one counts.
   */

  static final RuleBlock RULES = RuleBlock.read(PastedReader.class, "pasted.txt").getFirst();

  private static final List<Pattern> FORMS = patterns("form");

  /** Figures that a single mapping has, too. */
  private static final List<Pattern> OWN = patterns("own");

  private static final Pattern PID =
      Pattern.compile(
          "^\\d{1,9}(?=:$|: +/)|(?<=\\bjcmd )\\d{1,9}(?= )|(?<=/proc/)\\d{1,9}(?=/)|(?<=^Pid: )\\d{1,9}$");

  /** The kinds of pages, by the ends of the names of their figures. */
  private static final SortedMap<String, String> KINDS =
      new TreeMap<>(Map.of("Anonymous", "anonymous", "Files", "files", "Shared", "shared_memory"));

  /**
   * A row of the kernel's table of processes; after {@code mm/oom_kill.c}. The table counts pages,
   * and has the page tables in one column or in bytes.
   */
  private static final Pattern PROCESS =
      Pattern.compile(
          "(?m)\\[ ?(\\d{1,9})\\] \\d+ \\d+ \\d+ (\\d{1,12}) (?:\\d+ )?\\d+ (\\d{1,12}) -?\\d+ (\\S{1,16})$");

  private static final long PAGE_BYTES = 4096;

  private static final Pattern HEAP =
      Pattern.compile(
          "(?:def new|tenured|garbage-first|PSYoungGen|ParOldGen|ZHeap|Shenandoah|Metaspace|class"
              + " space).* (?:used|committed) .*");

  private final List<String> lines = new ArrayList<>();
  private final PastedMappings mappings = new PastedMappings();
  private final PastedPod pod = new PastedPod();
  private final Map<String, Long> figures = new HashMap<>();
  private final Map<String, String> words = new HashMap<>();
  private final Map<String, Long> parts = new LinkedHashMap<>();
  private final Map<String, Long> pids = new HashMap<>();
  private final List<String> heap = new ArrayList<>();
  private long pid;
  private boolean isHistory;

  private PastedReader() {}

  private static List<Pattern> patterns(String key) {
    return RULES.values(key).map(form -> Pattern.compile(form.replace("#", "\\d{1,15}"))).toList();
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
    boolean isKnown =
        memory.tracking().total().reserved().isKnown()
            || !memory.tracking().purposes().isEmpty()
            || Stream.of(
                    "resident", "limit", "retained", "anon", "file", "kernel", "swap", "arenas")
                .anyMatch(memory.figures()::containsKey)
            || Stream.of("killed", "container", "largest_process")
                .anyMatch(memory.words()::containsKey);
    return Optional.of(memory).filter(_ -> isKnown);
  }

  private void read(String line) {
    lines.add(line);
    Matcher number = PID.matcher(line);
    if (number.find()) {
      pid = Long.parseLong(number.group());
    }
    pod.read(line);
    if (!mappings.read(line)) {
      FORMS.forEach(form -> readFigures(form, line));
      if (!mappings.isInMapping()) {
        OWN.forEach(form -> readFigures(form, line));
      }
      readHeap(line);
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
      int power = "BKMG".indexOf(group.charAt(group.length() - 1));
      if (text != null && power < 0) {
        words.put(group, text);
      } else if (text != null) {
        String figure = group.substring(0, group.length() - 1);
        figures.put(figure, Long.parseLong(text) << (10 * power));
        pids.put(figure, pid);
      }
    }
  }

  private void readHeap(String line) {
    isHistory = line.startsWith("{Heap") || (isHistory && !line.startsWith("}"));
    if (line.equals("Heap:")) {
      heap.clear();
    } else if (HEAP.matcher(line).matches() && !isHistory) {
      heap.add(line);
    }
  }

  /** {@return the bytes of a process, resident or in swap} */
  private static long residentBytes(MatchResult row) {
    return (Long.parseLong(row.group(2)) + Long.parseLong(row.group(3))) * PAGE_BYTES;
  }

  private Optional<Long> figure(String name) {
    return Optional.ofNullable(figures.get(name));
  }

  private PastedMemory memory() throws IOException {
    String text = String.join("\n", lines) + "\n";
    pod.container().ifPresent(container -> words.put("container", container));
    pod.limitBytes().ifPresent(bytes -> figures.put("limit", bytes));
    if (pod.isKilled()) {
      words.put("container_killed", "");
    }
    FailureReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
        .last()
        .ifPresent(this::add);
    PROCESS
        .matcher(text)
        .results()
        .max(Comparator.comparingLong(PastedReader::residentBytes))
        .ifPresent(row ->
            words.put(
                "largest_process",
                Text.of(
                    "%s (%s) with %s resident or in swap",
                    row.group(4), row.group(1), ByteUnit.human(residentBytes(row)))));
    if (mappings.all().isEmpty() && mappings.arenaCount() > 0) {
      figures.put("arenas", mappings.arenaBytes());
      words.put("arena_count", Integer.toString(mappings.arenaCount()));
    }
    String share = words.getOrDefault("share", "");
    if (!share.isEmpty()) {
      figure("limit")
          .ifPresent(limit ->
              figures.putIfAbsent("mostHeap", (long) (limit / 100.0 * Double.parseDouble(share))));
    }
    Optional<ProcessDump> dump = dump(text);
    figure("heap").ifPresent(bytes -> figures.putIfAbsent("mostHeap", bytes));
    addResident();
    return new PastedMemory(figures, words, parts, NativeTracking.of(text), dump);
  }

  /** Adds the kill that the text reports, after the reader of failures. */
  private void add(Failure failure) {
    boolean isOfGroup = failure.program() == FailureProgram.CONTAINER;
    if (!isOfGroup && failure.program() != FailureProgram.MACHINE) {
      return;
    }
    failure
        .numbers()
        .get(FailurePart.LIMIT)
        .ifPresent(bytes -> figures.putIfAbsent("limit", bytes.bytes()));
    if (failure.kind().startsWith("state")) {
      if (words.putIfAbsent("container", "container") == null) {
        words.put("container_killed", "");
      }
      return;
    }
    words.put("killed", failure.detail().isEmpty() ? "a process" : failure.detail());
    if (isOfGroup) {
      words.put("of_group", "");
    }
  }

  /** Adds the resident bytes: of all mappings, or those that the most exact text has. */
  private void addResident() {
    if (figures.containsKey("killAnonymous")) {
      figures.put(
          "kill",
          KINDS.keySet().stream().mapToLong(kind -> figure("kill" + kind).orElse(0L)).sum());
      pids.put("kill", figures.getOrDefault("killPid", 0L));
    }
    figure("rollupAnonymous")
        .ifPresent(bytes -> figures.put("rollupFiles", figure("rollup").orElse(0L) - bytes));
    long process = pids.getOrDefault("status", pids.getOrDefault("rollup", 0L));
    if (!mappings.all().isEmpty()) {
      figures.put("resident", mappings.residentBytes());
      process = process == 0 ? pid : process;
    } else {
      String source =
          Stream.of("rollup", "status", "kill", "info")
              .filter(figures::containsKey)
              .findFirst()
              .orElse("");
      figure(source).ifPresent(bytes -> figures.put("resident", bytes));
      KINDS.forEach(
          (kind, part) -> figure(source + kind).ifPresent(bytes -> parts.put(part, bytes)));
      process = pids.getOrDefault(source, 0L);
      if (source.equals("kill")) {
        words.put("of_kernel", "");
      }
    }
    long tracked = pids.getOrDefault("tracked", 0L);
    long named = process == 0 ? tracked : process;
    words.put("pid", named == 0 || words.containsKey("killed") ? "PID" : Long.toString(named));
    if (tracked != 0 && tracked != named) {
      words.put("other_process", "");
    }
  }

  /** {@return the texts as a dump; empty if they do not have all mappings} */
  private Optional<ProcessDump> dump(String text) {
    List<String> all = mappings.all();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    StringBuilder flags = new StringBuilder(words.getOrDefault("collector", ""));
    figure("mostHeap").ifPresent(bytes -> flags.append(" -XX:MaxHeapSize=").append(bytes));
    figure("mostDirect").ifPresent(it -> flags.append(" -XX:MaxDirectMemorySize=").append(it));
    StringBuilder dump = new StringBuilder();
    section("smaps", String.join("\n", all), dump);
    section("status", "Name: " + words.getOrDefault("name", "java") + "\nPid: " + pid, dump);
    section("GC.heap_info", String.join("\n", heap), dump);
    section("VM.flags", flags.toString(), dump);
    section("VM.native_memory", text, dump);
    section(pid == 0 ? "ended" : "pasted", "", dump);
    section("pasted", "", dump);
    figure("limit").ifPresent(bytes -> section("memory.max", bytes.toString(), dump));
    // The group has at least the bytes of the process.
    long used = figures.getOrDefault("usage", mappings.residentBytes());
    section("memory.current", Long.toString(used), dump);
    return Optional.of(ProcessDump.parse(dump.toString()));
  }

  private static void section(String name, String content, StringBuilder dump) {
    dump.append("== ").append(name).append('\n').append(content).append('\n');
  }
}
