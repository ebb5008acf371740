package dev.stowage.cuda.standin;

import java.lang.foreign.MemorySegment;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The addresses of all devices, and the memory behind them. */
final class AddressSpace {

  /** A number that cannot be taken for a handle. */
  static final long FIRST_ADDRESS = 0x700000000000L;

  private final NavigableMap<Long, Extent> extents = new TreeMap<>();
  private long nextAddress = FIRST_ADDRESS;

  /** {@return the start of addresses that were never used, directly behind the previous ones} */
  long newAddress(long bytes, long alignmentBytes) {
    long address = (nextAddress + alignmentBytes - 1) & -alignmentBytes;
    nextAddress = address + bytes;
    return address;
  }

  void add(Extent extent) {
    extents.put(extent.address(), extent);
  }

  void remove(Extent extent) {
    extents.remove(extent.address());
  }

  /** {@return the extent of a type that starts at an address} */
  <E extends Extent> Optional<E> find(Class<E> type, long address) {
    return Optional.ofNullable(extents.get(address)).filter(type::isInstance).map(type::cast);
  }

  long count(Class<? extends Extent> type) {
    return extents.values().stream().filter(type::isInstance).count();
  }

  /** {@return true if some of a range has memory} */
  boolean hasAny(long address, long bytes) {
    return holding(address).isPresent()
        || !extents.subMap(address, true, address + bytes, false).isEmpty();
  }

  private Optional<Extent> holding(long address) {
    return Optional.ofNullable(extents.floorEntry(address))
        .map(entry -> entry.getValue())
        .filter(extent -> address - extent.address() < extent.bytes());
  }

  /** {@return the extent that holds an address and that work of a device can access} */
  private Optional<Extent> accessible(Gpu gpu, long address) {
    return holding(address).filter(extent -> extent.gpu() == gpu && extent.isAccessible());
  }

  /** {@return true if work can access a range: an allocation, or successive mappings} */
  boolean canAccess(Gpu gpu, long address, long bytes) {
    Optional<Extent> first = accessible(gpu, address);
    Optional<Extent> extent = first;
    long end = address;
    while (extent.isPresent()) {
      end = extent.get().address() + extent.get().bytes();
      if (bytes <= end - address) {
        return true;
      }
      extent = accessible(gpu, end).filter(first.orElseThrow()::canContinueIn);
    }
    return false;
  }

  /** {@return the start of a range that work can access, as much of it as is in one extent} */
  MemorySegment start(Gpu gpu, long address, long bytes) {
    Extent extent = accessible(gpu, address).orElseThrow();
    long offset = address - extent.address();
    return extent.memory().asSlice(offset, Math.min(bytes, extent.bytes() - offset));
  }
}
