package dev.stowage.cuda.standin;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stowage.cuda.standin.Extent.Mapping;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** The functions of virtual memory. */
final class VirtualMemoryFunctions {

  static final long GRANULE_BYTES = 65536;

  private static final int PINNED = 1;
  private static final int DEVICE = 1;
  private static final int READ_WRITE = 3;

  private final Gpus gpus;
  private final AddressSpace addresses;
  private final AtomicLong nextHandle;
  private final NavigableMap<Long, Long> reservedBytes = new TreeMap<>();
  private final Map<Long, Physical> physicals = new HashMap<>();

  VirtualMemoryFunctions(Gpus gpus, AddressSpace addresses, AtomicLong nextHandle) {
    this.gpus = gpus;
    this.addresses = addresses;
    this.nextHandle = nextHandle;
  }

  long reservationCount() {
    return reservedBytes.size();
  }

  long physicalCount() {
    return physicals.size();
  }

  private static boolean isWhole(long bytes) {
    return bytes > 0 && bytes % GRANULE_BYTES == 0;
  }

  /** {@return true for memory of a device, with 0 in all other fields of CUmemAllocationProp} */
  private static boolean isProper(MemorySegment properties, Gpu gpu) {
    return properties.get(JAVA_INT, 0) == PINNED
        && properties.get(JAVA_INT, 4) == 0
        && properties.get(JAVA_INT, 8) == DEVICE
        && properties.get(JAVA_INT, 12) == gpu.ordinal()
        && properties.get(JAVA_LONG, 16) == 0
        && properties.get(JAVA_LONG, 24) == 0;
  }

  void cuMemGetAllocationGranularity(MemorySegment bytes, MemorySegment properties, int option) {
    Gpu gpu = gpus.current();
    Result.INVALID_VALUE.unless(isProper(properties, gpu) && (option == 0 || option == 1));
    bytes.set(JAVA_LONG, 0, GRANULE_BYTES);
  }

  // Addresses.

  void cuMemAddressReserve(
      MemorySegment address, long bytes, long alignmentBytes, long wish, long flags) {
    gpus.current();
    Result.INVALID_VALUE.unless(
        isWhole(bytes) && (alignmentBytes & (alignmentBytes - 1)) == 0 && wish == 0 && flags == 0);
    long start = addresses.newAddress(bytes, Math.max(alignmentBytes, GRANULE_BYTES));
    reservedBytes.put(start, bytes);
    address.set(JAVA_LONG, 0, start);
  }

  void cuMemAddressFree(long address, long bytes) {
    gpus.current();
    Result.INVALID_VALUE.unless(
        Objects.equals(reservedBytes.get(address), bytes) && !addresses.hasAny(address, bytes));
    reservedBytes.remove(address);
  }

  // Memory.

  void cuMemCreate(MemorySegment handle, long bytes, MemorySegment properties, long flags) {
    Gpu gpu = gpus.current();
    Result.INVALID_VALUE.unless(isWhole(bytes) && isProper(properties, gpu) && flags == 0);
    Physical physical = new Physical(gpu, bytes);
    long number = nextHandle.getAndIncrement();
    physicals.put(number, physical);
    handle.set(JAVA_LONG, 0, number);
  }

  void cuMemRelease(long handle) {
    gpus.current();
    if (live(handle).release()) {
      physicals.remove(handle);
    }
  }

  /** {@return memory whose handle has not ended} */
  private Physical live(long handle) {
    return Optional.ofNullable(physicals.get(handle))
        .filter(physical -> !physical.isReleased())
        .orElseThrow(Result.INVALID_VALUE::failure);
  }

  // Mappings.

  void cuMemMap(long address, long bytes, long offset, long handle, long flags) {
    Gpu gpu = gpus.current();
    Physical physical = live(handle);
    Result.INVALID_VALUE.unless(
        physical.bytes() == bytes
            && address % GRANULE_BYTES == 0
            && offset == 0
            && flags == 0
            && isReserved(address, bytes)
            && !addresses.hasAny(address, bytes));
    physical.addMapping();
    addresses.add(new Mapping(gpu, address, physical, false));
  }

  private boolean isReserved(long address, long bytes) {
    return Optional.ofNullable(reservedBytes.floorEntry(address))
        .filter(entry -> address - entry.getKey() <= entry.getValue() - bytes)
        .isPresent();
  }

  void cuMemSetAccess(long address, long bytes, MemorySegment access, long count) {
    Gpu gpu = gpus.current();
    Result.INVALID_VALUE.unless(
        bytes > 0
            && count == 1
            && access.get(JAVA_INT, 0) == DEVICE
            && access.get(JAVA_INT, 4) == gpu.ordinal()
            && access.get(JAVA_INT, 8) == READ_WRITE);
    mappings(address, bytes).forEach(mapping -> addresses.add(mapping.accessible()));
  }

  /** {@return the mappings that a range consists of} */
  private List<Mapping> mappings(long address, long bytes) {
    List<Mapping> mappings = new ArrayList<>();
    long offset = 0;
    while (offset < bytes) {
      mappings.add(mapping(address + offset));
      offset += mappings.getLast().bytes();
    }
    Result.INVALID_VALUE.unless(offset == bytes);
    return mappings;
  }

  private Mapping mapping(long address) {
    return addresses.find(Mapping.class, address).orElseThrow(Result.INVALID_VALUE::failure);
  }

  /** Removes a mapping, without waiting for work. */
  void cuMemUnmap(long address, long bytes) {
    gpus.current();
    Mapping mapping = mapping(address);
    Result.INVALID_VALUE.unless(mapping.bytes() == bytes);
    addresses.remove(mapping);
    if (mapping.physical().removeMapping()) {
      physicals.values().remove(mapping.physical());
    }
  }
}
