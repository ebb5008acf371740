package dev.stowage.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The resident memory of a process on Linux, divided among its owners.
 *
 * <p>The parts add up to the resident bytes that the kernel reports at the same moment.
 */
public final class MemoryByOwner {

  private final long pid;
  private final String command;
  private final List<OwnedMemory> parts;
  private final Optional<CgroupMemory> cgroup;
  private final List<String> notes;

  private MemoryByOwner(
      long pid,
      String command,
      List<OwnedMemory> parts,
      Optional<CgroupMemory> cgroup,
      List<String> notes) {
    this.pid = pid;
    this.command = command;
    this.parts = List.copyOf(parts);
    this.cgroup = cgroup;
    this.notes = List.copyOf(notes);
  }

  /**
   * {@return the memory of a process}
   *
   * <p>For a Java process, the method asks its virtual machine, which takes some milliseconds of
   * the process. Of other processes, only the kernel is asked.
   *
   * @param pid the number of the process
   * @throws NoSuchFileException if there is no such process
   * @throws IOException if its memory cannot be read, as that of other users
   */
  public static MemoryByOwner of(long pid) throws IOException {
    Path folder = Path.of("/proc/" + pid);
    Map<String, String> texts = new HashMap<>();
    List<String> notes = new ArrayList<>();
    readVm(pid, folder, texts, notes);
    texts.put(ProcessTexts.SMAPS, read(folder.resolve("smaps")));
    return new MemoryByOwner(
        pid,
        read(folder.resolve("comm")).strip(),
        Attribution.parts(new ProcessTexts(texts)),
        CgroupMemory.of(folder),
        notes);
  }

  private static void readVm(long pid, Path folder, Map<String, String> texts, List<String> notes)
      throws IOException {
    String status = read(folder.resolve("status"));
    if (field(status, "State").startsWith("T")) {
      notes.add("the process is stopped, so that only the kernel was asked");
      return;
    }
    try {
      // The last number is that in the namespace of the process itself.
      String numbers = field(status, "NSpid");
      AttachedVm vm =
          AttachedVm.of(pid, Long.parseLong(numbers.substring(numbers.lastIndexOf('\t') + 1)));
      for (String command :
          List.of(
              ProcessTexts.MAP,
              ProcessTexts.CODE,
              ProcessTexts.HEAP,
              ProcessTexts.TRACKING,
              ProcessTexts.NATIVE_HEAP)) {
        vm.output(command).ifPresent(text -> texts.put(command, text));
      }
      if (texts.getOrDefault(ProcessTexts.MAP, "").contains("NMT is disabled")) {
        notes.add(
            "Native Memory Tracking is off, so that some owners are derived from the shape of"
                + " mappings; -XX:NativeMemoryTracking=summary turns it on");
      }
    } catch (IOException e) {
      notes.add(
          "the process is no Java virtual machine, or does not accept connections, so that only the"
              + " kernel was asked");
    }
  }

  private static String field(String status, String name) {
    return status
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElse("");
  }

  /** Reads a file whose paths and names may be in any encoding. */
  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  /** {@return the name of the program} */
  public String command() {
    return command;
  }

  /** {@return the memory of the control group of the process; empty if it is not known} */
  public Optional<CgroupMemory> cgroup() {
    return cgroup;
  }

  /** {@return the number of the process} */
  public long pid() {
    return pid;
  }

  /** {@return the parts with resident bytes, the largest first} */
  public List<OwnedMemory> parts() {
    return parts;
  }

  /** {@return the resident bytes, the sum of the parts} */
  public long residentBytes() {
    return parts.stream().mapToLong(OwnedMemory::bytes).sum();
  }

  /** {@return sentences on information that the process lacks} */
  public List<String> notes() {
    return notes;
  }
}
