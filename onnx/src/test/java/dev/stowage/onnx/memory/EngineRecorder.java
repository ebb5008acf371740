package dev.stowage.onnx.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * An allocator for sessions of ONNX Runtime that records their requests. A session that writes a
 * profile asks for statistics before and after each operator, which separates the operators.
 */
@SuppressWarnings({"restricted", "unused"}) // ONNX Runtime calls the functions
final class EngineRecorder implements AutoCloseable {

  static final FunctionDescriptor ALLOC = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG);
  static final FunctionDescriptor FREE = FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor INFO = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
  private static final long ALIGNMENT_BYTES = 64;
  private static final int FIELDS = 7;

  private final EngineApi api = new EngineApi();
  private final long memoryInfo = api.deviceMemory();
  private final MemorySegment alignedAlloc = function("aligned_alloc");
  private final MemorySegment free = function("free");
  private final Map<Long, Integer> ids = new HashMap<>();
  private final List<List<Request>> parts = new ArrayList<>();
  private final Map<Integer, Integer> partOf = new HashMap<>();

  EngineRecorder() throws ReflectiveOperationException {
    MemorySegment fields = Arena.global().allocate(JAVA_LONG, FIELDS);
    fields.set(JAVA_INT, 0, EngineApi.VERSION);
    fields.setAtIndex(JAVA_LONG, 1, stub("allocate", ALLOC));
    fields.setAtIndex(JAVA_LONG, 2, stub("release", FREE));
    fields.setAtIndex(JAVA_LONG, 3, stub("info", INFO));
    fields.setAtIndex(JAVA_LONG, 4, stub("reserve", ALLOC));
    fields.setAtIndex(JAVA_LONG, 5, stub("statistics", ALLOC));
    api.register(fields.address());
    take();
  }

  private static MemorySegment function(String name) {
    return Linker.nativeLinker().defaultLookup().findOrThrow(name);
  }

  private long stub(String method, FunctionDescriptor type) throws ReflectiveOperationException {
    return Linker.nativeLinker()
        .upcallStub(
            MethodHandles.lookup()
                .findVirtual(EngineRecorder.class, method, type.toMethodType())
                .bindTo(this),
            type,
            Arena.global())
        .address();
  }

  EngineApi api() {
    return api;
  }

  /**
   * {@return the requests since the last call, in parts: even parts are between operators, odd
   * parts of operators}
   */
  synchronized List<List<Request>> take() {
    List<List<Request>> taken = List.copyOf(parts);
    parts.clear();
    parts.add(new ArrayList<>());
    return taken;
  }

  private synchronized long memory(long bytes) {
    long rounded = Math.max(1, Math.ceilDiv(bytes, ALIGNMENT_BYTES)) * ALIGNMENT_BYTES;
    return (long) EngineApi.invoke(alignedAlloc, ALLOC, ALIGNMENT_BYTES, rounded);
  }

  private synchronized long allocate(long self, long bytes) {
    long address = memory(bytes);
    int id = partOf.size();
    ids.put(address, id);
    partOf.put(id, parts.size());
    parts.getLast().add(new Request.Allocate(id, bytes));
    return address;
  }

  private synchronized long reserve(long self, long bytes) {
    long address = memory(bytes);
    int id = partOf.size();
    ids.put(address, id);
    partOf.put(id, parts.size());
    parts.getLast().add(new Request.Reserve(id, bytes));
    return address;
  }

  private synchronized void release(long self, long address) {
    if (address != 0) {
      int id = Objects.requireNonNull(ids.remove(address));
      parts.getLast().add(new Request.Free(id));
      EngineApi.invoke(free, FunctionDescriptor.ofVoid(JAVA_LONG), address);
    }
  }

  private long info(long self) {
    return memoryInfo;
  }

  private synchronized long statistics(long self, long result) {
    parts.add(new ArrayList<>());
    MemorySegment.ofAddress(result)
        .reinterpret(JAVA_LONG.byteSize())
        .set(JAVA_LONG, 0, api.pairs(Map.of("NumAllocs", "1")));
    return 0;
  }

  @Override
  public void close() {
    api.unregister(memoryInfo);
  }
}
