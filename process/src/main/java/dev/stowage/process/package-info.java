/**
 * The resident memory of a process, divided among its owners.
 *
 * <p>{@link dev.stowage.process.MemoryByOwner} is the result. {@code ProcessTexts} are what the
 * kernel and the Java virtual machine tell, as text. {@code Smaps} has the mappings with their
 * resident bytes, and {@code VmRanges} the owners that the virtual machine knows. {@code
 * Attribution} gives each mapping to one owner, so that the parts add up to the resident bytes.
 *
 * <p>{@link dev.stowage.process.MemoryGrowth} compares samples. A {@code ResistantLine} through
 * them has the growth of a part, and {@code GrowthRules} find its cause.
 */
package dev.stowage.process;
