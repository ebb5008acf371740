package dev.stowage.process;

import java.util.List;

/**
 * The resident memory of an owner.
 *
 * @param owner the owner
 * @param bytes its resident bytes
 * @param isEstimate true if the owner of some mappings was derived from their shape
 * @param details what is known about these bytes, the most important first
 */
public record OwnedMemory(MemoryOwner owner, long bytes, boolean isEstimate, List<Detail> details) {

  /** Copies the details. */
  public OwnedMemory {
    details = List.copyOf(details);
  }

  /**
   * A detail of a part, such as a file or the free bytes of a heap.
   *
   * @param name its name
   * @param bytes its bytes; some of them may not be resident
   */
  public record Detail(String name, long bytes) {

    /** Ends the name of native memory that the virtual machine itself has requested. */
    static final String OF_VM = " of the VM";

    /** {@return true if these are requests of the virtual machine itself to the C library} */
    public boolean isOfVm() {
      return name.endsWith(OF_VM);
    }
  }
}
