package dev.stowage.process;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The owners of mappings, by their shapes, files and neighbours. */
final class MappingShapes {

  /*
   *   | arena     |  reserved      |    glibc: both together are 64 MiB, at a multiple of 64 MiB
   *   | arena 1        | arena 2   |    the kernel merges an arena that is full with the next one
   *   |guard| stack             |       a guard of up to 64 KiB that is not accessible, then the stack
   *   | library's data | zeroed |       the part of a library's data that its file does not have
   */

  private static final long ARENA_BYTES = 64L << 20;
  private static final long MOST_STACK_BYTES = 16 << 20;
  private static final long MOST_GUARD_BYTES = 64 << 10;

  /** The C library maps requests of at least as many bytes. */
  private static final long LEAST_BLOCK_BYTES = 128 << 10;

  /** A larger mapping after a library's data also has a large request or memory of the VM. */
  private static final long MOST_ZEROED_BYTES = LEAST_BLOCK_BYTES;

  private static final Pattern ALLOCATOR =
      Pattern.compile("(?:.*/)?lib(jemalloc|tcmalloc|mimalloc)[^/]*\\.so[^/]*");

  private static final String HEAP_OF_ZGC = "memfd:java_heap";

  /** Musl's library is {@code libc.musl-x86_64.so.1} or {@code ld-musl-x86_64.so.1}. */
  private static final Pattern GLIBC = Pattern.compile("(?:.*/)?libc(\\.so\\.6|-2\\.\\d+\\.so)");

  private final List<Mapping> mappings;

  /** Creates the shapes of mappings by ascending address. */
  MappingShapes(List<Mapping> mappings) {
    this.mappings = mappings;
  }

  /** {@return the name of the allocator that replaces the C library's, if there is one} */
  Optional<String> allocator() {
    return mappings.stream()
        .map(mapping -> ALLOCATOR.matcher(mapping.path()))
        .filter(Matcher::matches)
        .map(path -> path.group(1))
        .findFirst();
  }

  /** {@return true if the process has loaded a library, of any version} */
  boolean hasLibrary(String name) {
    return mappings.stream()
        .map(mapping -> mapping.path().substring(mapping.path().lastIndexOf('/') + 1))
        .anyMatch(file -> file.startsWith(name));
  }

  /** {@return true if the process has loaded the C library of GNU} */
  boolean hasGlibc() {
    return mappings.stream().anyMatch(mapping -> GLIBC.matcher(mapping.path()).matches());
  }

  /** {@return true if a mapping has the shape of the used part of arenas of glibc} */
  boolean isArena(int index) {
    Mapping used = mappings.get(index);
    if (used.start() % ARENA_BYTES != 0) {
      return false;
    }
    if (used.end() % ARENA_BYTES == 0) {
      return true;
    }
    if (index + 1 == mappings.size()) {
      return false;
    }
    Mapping reserved = mappings.get(index + 1);
    return reserved.start() == used.end()
        && reserved.end() % ARENA_BYTES == 0
        && reserved.isInaccessible();
  }

  /** {@return true if a mapping is the stack of a thread} */
  boolean isStack(int index) {
    if (index == 0) {
      return false;
    }
    Mapping guard = mappings.get(index - 1);
    Mapping stack = mappings.get(index);
    return guard.isInaccessible()
        && guard.isAnonymous()
        && guard.end() == stack.start()
        && guard.bytes() <= MOST_GUARD_BYTES
        && stack.bytes() <= MOST_STACK_BYTES;
  }

  /**
   * {@return the index of the first mapping of the Java heap: anonymous mappings without a gap that
   * have exactly its bytes together; empty if there are none}
   *
   * <p>The Java heap has low addresses, so the first such mappings are the heap. The heap of ZGC is
   * a file; anonymous mappings of its size would be arenas of the C library.
   *
   * @param bytes the bytes of addresses that the Java heap reserves
   */
  OptionalInt heap(long bytes) {
    if (mappings.stream().anyMatch(mapping -> mapping.path().contains(HEAP_OF_ZGC))) {
      return OptionalInt.empty();
    }
    for (int i = 0; i < mappings.size(); i++) {
      int last = i;
      while (last + 1 < mappings.size()
          && isOfHeap(mappings.get(last))
          && mappings.get(last).end() - mappings.get(i).start() < bytes
          && mappings.get(last + 1).start() == mappings.get(last).end()) {
        last++;
      }
      if (isOfHeap(mappings.get(last))
          && mappings.get(last).end() - mappings.get(i).start() == bytes) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  /** {@return true for the heap; some collectors map an archive of shared objects into it} */
  private static boolean isOfHeap(Mapping mapping) {
    return mapping.isAnonymous() || mapping.path().endsWith(".jsa");
  }

  /**
   * {@return true if a mapping has the shape of large requests to glibc}
   *
   * <p>Memory of the virtual machine looks the same, but reserved addresses follow it.
   */
  boolean isLargeBlock(Mapping mapping) {
    return mapping.bytes() >= LEAST_BLOCK_BYTES
        && mapping.permissions().startsWith("rw-p")
        && mappings.stream()
            .noneMatch(next -> next.start() == mapping.end() && next.isInaccessible());
  }

  /** {@return true if a file is the library of the virtual machine} */
  static boolean isVm(String path) {
    return path.endsWith("libjvm.so");
  }

  /** {@return the library in front of a mapping with its zeroed data; empty for other mappings} */
  Optional<String> library(int index) {
    if (index == 0) {
      return Optional.empty();
    }
    Mapping data = mappings.get(index - 1);
    return (isVm(data.path()) || mappings.get(index).bytes() < MOST_ZEROED_BYTES)
            && data.end() == mappings.get(index).start()
            && data.permissions().startsWith("rw")
            && owner(data) == MemoryOwner.LIBRARIES
        ? Optional.of(data.path())
        : Optional.empty();
  }

  /** {@return the owner of a mapping that has a name} */
  static MemoryOwner owner(Mapping mapping) {
    String path = mapping.path();
    if (path.equals("[heap]") || path.startsWith("[anon: glibc: malloc")) {
      return MemoryOwner.C_HEAP;
    }
    if (path.startsWith("[stack")) {
      return MemoryOwner.THREAD_STACKS;
    }
    if (path.contains(HEAP_OF_ZGC)) {
      return MemoryOwner.JAVA_HEAP;
    }
    if (path.endsWith(".jsa") || path.endsWith(".aot")) {
      return MemoryOwner.SHARED_CLASSES;
    }
    if (path.startsWith("[anon:")) {
      return MemoryOwner.NOT_ATTRIBUTED;
    }
    if (path.startsWith("[") || path.endsWith("/lib/modules") || path.equals("modules")) {
      return MemoryOwner.OTHER_VM;
    }
    if (path.startsWith("/dev/shm/")
        || path.startsWith("/SYSV")
        || path.startsWith("/dev/zero")
        || path.startsWith("/memfd:")) {
      return MemoryOwner.SHARED_MEMORY;
    }
    boolean isLibrary =
        path.endsWith(".so")
            || path.contains(".so.")
            || path.endsWith("/bin/java")
            || path.equals("java");
    return isLibrary || mapping.isExecutable() ? MemoryOwner.LIBRARIES : MemoryOwner.MAPPED_FILES;
  }
}
