package dev.stowage.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The details of parts. */
final class PartDetails {

  private final DumpFigures figures;
  private final String beans;

  PartDetails(ProcessDump dump, DumpFigures figures) {
    this.figures = figures;
    beans = dump.section(ProcessDump.BEANS);
  }

  /**
   * {@return the details of a part, the most important first}
   *
   * @param owner its owner
   * @param bytes the resident bytes of all owners
   * @param names the largest mappings of the owner, by name
   */
  List<OwnedMemory.Detail> of(
      MemoryOwner owner, Map<MemoryOwner, Long> bytes, List<OwnedMemory.Detail> names) {
    List<OwnedMemory.Detail> details = new ArrayList<>(own(owner, bytes, names));
    if (owner == figures.requestOwner(each -> bytes.getOrDefault(each, 0L))) {
      details.addAll(requests());
    }
    return details;
  }

  private List<OwnedMemory.Detail> own(
      MemoryOwner owner, Map<MemoryOwner, Long> bytes, List<OwnedMemory.Detail> names) {
    return switch (owner) {
      case JAVA_HEAP -> ofHeap(bytes.getOrDefault(owner, 0L));
      case C_HEAP -> ofArenas(bytes.getOrDefault(owner, 0L));
      case STOWAGE ->
          MemoryBeans.allocators(beans).stream()
              .map(each -> new OwnedMemory.Detail("allocator " + each.name(), each.heldBytes()))
              .toList();
      case LIBRARIES, MAPPED_FILES, NOT_ATTRIBUTED -> names;
      default -> List.of();
    };
  }

  private List<OwnedMemory.Detail> ofHeap(long resident) {
    List<OwnedMemory.Detail> details = new ArrayList<>();
    OptionalLong objects = figures.objectBytes(resident);
    if (objects.isPresent()) {
      OptionalLong live = figures.liveBytes(resident);
      if (live.isPresent()) {
        details.add(new OwnedMemory.Detail("live objects", live.getAsLong()));
        details.add(new OwnedMemory.Detail("garbage", objects.getAsLong() - live.getAsLong()));
      } else {
        details.add(new OwnedMemory.Detail("objects, live or garbage", objects.getAsLong()));
      }
      details.add(new OwnedMemory.Detail("free", resident - objects.getAsLong()));
    }
    return details;
  }

  private List<OwnedMemory.Detail> ofArenas(long resident) {
    List<OwnedMemory.Detail> details = new ArrayList<>();
    Optional<String> allocator = figures.shapes.allocator();
    if (allocator.isPresent()) {
      details.add(new OwnedMemory.Detail("heap of " + allocator.get(), resident));
    } else if (figures.nativeHeap.isPresent()) {
      NativeHeap heap = figures.nativeHeap.get();
      details.add(new OwnedMemory.Detail("in use in " + heap.arenaCount(), heap.inUseBytes()));
      details.add(new OwnedMemory.Detail("free, some of it not resident", heap.freeBytes()));
      long trimmed = heap.trimmedBytes(resident);
      details.add(new OwnedMemory.Detail("free pages that malloc_trim returns", trimmed));
    }
    return details;
  }

  /** {@return the purposes of requests to the C library} */
  private List<OwnedMemory.Detail> requests() {
    List<OwnedMemory.Detail> details = new ArrayList<>();
    figures.tracked.requests().entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .forEach(
            request -> details.add(new OwnedMemory.Detail(request.getKey(), request.getValue())));
    figures.directBytes.ifPresent(
        bytes -> details.add(new OwnedMemory.Detail("direct buffers", bytes)));
    return details;
  }
}
