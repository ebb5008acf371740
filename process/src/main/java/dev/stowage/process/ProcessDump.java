package dev.stowage.process;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The texts of the kernel and of the virtual machine about the memory of a process at one moment.
 *
 * <p>The text of a dump consists of sections. Each starts with a line {@code == NAME}. Then comes
 * the content of a file of the kernel or the output of a diagnostic command. So a shell script can
 * write one where Stowage is not installed.
 */
public final class ProcessDump {

  /** {@code /proc/PID/smaps}. */
  static final String SMAPS = "smaps";

  /** {@code /proc/PID/status}. */
  static final String STATUS = "status";

  /** The diagnostic command that lists all mappings. */
  static final String MAP = "System.map";

  /** The diagnostic command with the addresses of the code cache. */
  static final String CODE = "Compiler.codecache";

  /** The diagnostic command with the bytes of the metaspace. */
  static final String METASPACE = "VM.metaspace";

  /** The diagnostic command with the addresses of the Java heap, and its bytes in use. */
  static final String HEAP = "GC.heap_info";

  /** The output of {@link #HEAP} after a full collection. */
  static final String COLLECTED_HEAP = "GC.heap_info after GC.run";

  /** The diagnostic command with the options of the virtual machine. */
  static final String FLAGS = "VM.flags";

  /** The diagnostic command with the arenas of the C library. */
  static final String NATIVE_HEAP = "System.native_heap_info";

  /** The diagnostic command of Native Memory Tracking. */
  static final String TRACKING = "VM.native_memory";

  /** The output of {@link #TRACKING} after a full collection. */
  static final String COLLECTED_TRACKING = "VM.native_memory after GC.run";

  /** The diagnostic command for the system properties. The dump keeps only Stowage's properties. */
  static final String PROPERTIES = "VM.system_properties";

  /** The management beans with bytes, which only the process itself reads. */
  static final String BEANS = "beans";

  /** The time of the reading of the mappings, in seconds since 1970 in UTC: {@code date +%s}. */
  static final String TIME = "time";

  /** The mark of pasted texts: no virtual machine was asked. The section is empty. */
  static final String PASTED = "pasted";

  /** The mark of a process that ended after the dump; the section is empty. */
  private static final String ENDED = "ended";

  /** The text of {@link #MAP} if Native Memory Tracking is off. */
  static final String UNTRACKED = "NMT is disabled";

  private static final String HEAD = "== ";

  private static final int MOST_READINGS = 20;
  private static final int MILLIS_BETWEEN_READINGS = 50;

  private static final List<String> COMMANDS =
      List.of(MAP, CODE, HEAP, FLAGS, TRACKING, NATIVE_HEAP);

  private final Map<String, String> sections;

  ProcessDump(Map<String, String> sections) {
    this.sections = new LinkedHashMap<>(sections);
  }

  /**
   * {@return the dump of a process}
   *
   * <p>The method asks the kernel and, for a Java process, the virtual machine, which takes the
   * process some milliseconds. If the virtual machine does not answer in time, the dump has only
   * the texts of the kernel.
   *
   * @param pid the number of the process
   * @param limit the longest time to answer, cut to ten seconds; if it is zero, only the kernel is
   *     asked
   * @throws NoSuchFileException if there is no such process
   * @throws IOException if its memory cannot be read, for example because it belongs to another
   *     user
   */
  public static ProcessDump of(long pid, Duration limit) throws IOException {
    return read(pid, limit, false);
  }

  /**
   * {@return the dump of a process, with a collection of garbage afterwards, so that the bytes of
   * live objects are known}
   *
   * <p>The collection stops the process, for seconds if its heap is large. If it takes more than
   * the limit, the dump does not have its figures.
   *
   * @param pid the number of the process
   * @param limit the most time of the collection; if it is zero, only the kernel is asked
   * @throws NoSuchFileException if there is no such process
   * @throws IOException if its memory cannot be read, for example because it belongs to another
   *     user
   */
  public static ProcessDump ofCollected(long pid, Duration limit) throws IOException {
    return read(pid, limit, true);
  }

  private static ProcessDump read(long pid, Duration limit, boolean collects) throws IOException {
    Path folder = Path.of("/proc/" + pid);
    String status = read(folder.resolve(STATUS));
    ProcessDump asked = limit.isZero() ? new ProcessDump(Map.of()) : ofVm(pid, status, limit);
    Map<String, String> sections = new LinkedHashMap<>(asked.sections);
    readKernel(folder, status, sections);
    if (collects && asked.hasVm()) {
      collect(pid, status, limit, sections);
    }
    return new ProcessDump(sections);
  }

  /**
   * {@return the sections of a virtual machine; none if there is none, or if it does not answer}
   */
  private static ProcessDump ofVm(long pid, String status, Duration limit) {
    Duration most = limit.compareTo(AttachedVm.ANSWER_LIMIT) < 0 ? limit : AttachedVm.ANSWER_LIMIT;
    try {
      return LimitedCall.answer(
          most,
          () -> {
            Optional<AttachedVm> vm = AttachedVm.of(pid, new ProcessStatus(status));
            return new ProcessDump(vm.isPresent() ? answers(vm.get()::output) : Map.of());
          });
    } catch (IOException e) {
      // The dump then has only the kernel's texts, which also show whether the process has ended.
      return new ProcessDump(Map.of());
    }
  }

  /**
   * {@return the dump of this process}
   *
   * @throws IOException if the system is not Linux
   */
  public static ProcessDump ofSelf() throws IOException {
    Map<String, String> sections = answers(new OwnVm()::output);
    sections.put(BEANS, MemoryBeans.lines(ManagementFactory.getPlatformMBeanServer()));
    Path folder = Path.of("/proc/self");
    readKernel(folder, read(folder.resolve(STATUS)), sections);
    return new ProcessDump(sections);
  }

  /** A virtual machine that takes diagnostic commands. */
  private interface Commands {

    /** {@return the output of a command; empty if the virtual machine does not know it} */
    Optional<String> output(String command) throws IOException;
  }

  private static Map<String, String> answers(Commands vm) throws IOException {
    Map<String, String> sections = new LinkedHashMap<>();
    for (String command : COMMANDS) {
      vm.output(command).ifPresent(text -> sections.put(command, text));
    }
    // The full output would need a safepoint.
    vm.output(METASPACE + " basic").ifPresent(text -> sections.put(METASPACE, text));
    // Other properties can be secrets.
    vm.output(PROPERTIES).ifPresent(text -> sections.put(PROPERTIES, RegionLines.of(text).text()));
    return sections;
  }

  /** Adds the figures after a collection, or an empty section if it does not end in time. */
  private static void collect(
      long pid, String status, Duration limit, Map<String, String> sections) {
    try {
      sections.putAll(
          LimitedCall.answer(
              limit,
              () -> {
                Optional<AttachedVm> vm = AttachedVm.of(pid, new ProcessStatus(status));
                return vm.isPresent() ? collected(vm.get()) : Map.of();
              }));
    } catch (IOException e) {
      sections.put(COLLECTED_HEAP, "");
    }
  }

  private static Map<String, String> collected(AttachedVm vm) throws IOException {
    Map<String, String> sections = new LinkedHashMap<>();
    if (vm.output("GC.run").isPresent()) {
      vm.output(HEAP).ifPresent(text -> sections.put(COLLECTED_HEAP, text));
      settledTracking(vm).ifPresent(text -> sections.put(COLLECTED_TRACKING, text));
    }
    return sections;
  }

  /**
   * {@return the output of Native Memory Tracking after the bytes of buffers have stopped changing}
   *
   * <p>After a collection, a thread of the process releases the buffers of collected objects. No
   * command waits for this thread.
   */
  private static Optional<String> settledTracking(AttachedVm vm) throws IOException {
    Optional<String> output = vm.output(TRACKING);
    OptionalLong before = OptionalLong.empty();
    OptionalLong bytes = bufferBytes(output);
    try {
      for (int i = 0; i < MOST_READINGS && !bytes.equals(before); i++) {
        Thread.sleep(MILLIS_BETWEEN_READINGS);
        output = vm.output(TRACKING);
        before = bytes;
        bytes = bufferBytes(output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return output;
  }

  private static OptionalLong bufferBytes(Optional<String> tracking) {
    return TrackedMemory.of(tracking.orElse("")).bufferBytes();
  }

  /** Reads the mappings last, because diagnostic commands change the memory of the process. */
  private static void readKernel(Path folder, String status, Map<String, String> sections)
      throws IOException {
    sections.putAll(CgroupFiles.read(folder));
    sections.put(STATUS, status);
    sections.put(TIME, seconds(Instant.now()));
    sections.put(SMAPS, read(folder.resolve(SMAPS)));
  }

  private static String seconds(Instant time) {
    return BigDecimal.valueOf(time.toEpochMilli(), 3).toPlainString();
  }

  /** Reads a file with paths and names in any encoding. */
  static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  /**
   * {@return the dump in a text}
   *
   * @param text the text
   * @throws IllegalArgumentException if the text has no section with mappings
   */
  public static ProcessDump parse(String text) {
    Map<String, String> sections = new LinkedHashMap<>();
    String name = "";
    StringBuilder content = new StringBuilder();
    // Some editors put a byte order mark before the text.
    String unmarked = text.startsWith("\uFEFF") ? text.substring(1) : text;
    for (String line : (Iterable<String>) unmarked.lines()::iterator) {
      if (line.startsWith(HEAD)) {
        sections.put(name, content.toString());
        name = line.substring(HEAD.length()).strip();
        content.setLength(0);
      } else {
        content.append(line).append('\n');
      }
    }
    sections.put(name, content.toString());
    if (Smaps.read(sections.getOrDefault(SMAPS, "")).isEmpty()) {
      throw new IllegalArgumentException(
          "the dump has no mappings, expected a section '"
              + HEAD
              + SMAPS
              + "' with the content of /proc/PID/smaps");
    }
    return new ProcessDump(sections);
  }

  /** {@return the text of the dump, which {@link #parse} reads} */
  public String text() {
    StringBuilder text = new StringBuilder();
    sections.forEach((name, content) -> {
      if (!name.isEmpty()) {
        text.append(HEAD).append(name).append('\n').append(content);
        if (!content.endsWith("\n")) {
          text.append('\n');
        }
      }
    });
    return text.toString();
  }

  /** {@return the time of the reading of the mappings; empty if the dump does not have it} */
  public Optional<Instant> time() {
    String seconds = section(TIME).strip();
    return seconds.matches("\\d{1,11}(\\.\\d{1,9})?")
        ? Optional.of(Instant.ofEpochMilli(new BigDecimal(seconds).movePointRight(3).longValue()))
        : Optional.empty();
  }

  /** {@return the same dump of a process that has ended since} */
  public ProcessDump ended() {
    ProcessDump dump = new ProcessDump(sections);
    dump.sections.put(ENDED, "");
    return dump;
  }

  /** {@return true if the process is known to have ended} */
  boolean hasEnded() {
    return sections.containsKey(ENDED) || new ProcessStatus(section(STATUS)).hasEnded();
  }

  /** {@return true if a collection was asked for and did not end in time} */
  boolean isCollectionUnfinished() {
    return sections.containsKey(COLLECTED_HEAP) && section(COLLECTED_HEAP).isBlank();
  }

  /** {@return true if the process has a virtual machine that did not answer} */
  public boolean isUnanswered() {
    return !hasVm() && section(SMAPS).contains("/libjvm.so");
  }

  /** {@return true if a user pasted the texts} */
  boolean isPasted() {
    return sections.containsKey(PASTED);
  }

  /** {@return true if a virtual machine has answered} */
  boolean hasVm() {
    return section(FLAGS).contains("-XX:") || HeapInfo.objectBytes(section(HEAP)).isPresent();
  }

  /** {@return the content of a section; empty if the dump does not have it} */
  String section(String name) {
    return sections.getOrDefault(name, "");
  }
}
