/**
 * A stand-in for the library of the CUDA driver, for tests on machines without a GPU. It has the
 * functions that the module uses, as upcalls, and enforces the driver's rules for callers.
 *
 * <ul>
 *   <li>Device addresses are numbers that the host cannot dereference; memory of the host holds the
 *       contents.
 *   <li>Queued work runs only when a caller waits for it, so that a caller that does not wait gets
 *       a wrong result. Each query of an event runs one piece of work, so that polling makes
 *       progress.
 *   <li>No stream waits for the default stream, or the reverse: callers must create non-blocking
 *       streams.
 *   <li>A call fails as the driver's manual says if there is no current context, a handle has
 *       ended, a struct is not filled in as declared, or a size is not a multiple of the
 *       granularity.
 *   <li>A copy or fill that accesses freed memory fails when it runs, and its stream fails with it.
 * </ul>
 *
 * <p>The methods whose names start with {@code cu} have the names and the arguments of the driver's
 * functions. A method throws a {@link dev.stowage.cuda.standin.CallFailure} if the function returns
 * a code.
 */
package dev.stowage.cuda.standin;
