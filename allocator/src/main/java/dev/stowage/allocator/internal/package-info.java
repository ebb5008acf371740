/**
 * The internals of an allocator that pools, adapters and tests of Stowage need, but not its users.
 */
package dev.stowage.allocator.internal;
