/**
 * The resident memory of a process, divided among its owners.
 *
 * <p>{@link dev.stowage.process.MemoryByOwner} is the result. {@link
 * dev.stowage.process.ProcessDump} has the texts of the kernel and of the Java virtual machine, and
 * {@code DumpFigures} their figures. {@code VmRanges} has the owners that the virtual machine
 * knows. {@code Attribution} gives each mapping to one owner, so that the parts add up to the
 * resident bytes.
 *
 * <p>{@link dev.stowage.process.MemoryGrowth} compares samples. A {@code ResistantLine} through
 * them has the growth of a part, and {@code GrowthRules} find its cause.
 */
package dev.stowage.process;
