/**
 * One chunk for all screens of logging in and registering: they share their form, and each alone is
 * too small for a separate request.
 */
export { ForgotPasswordPage } from '../pages/forgot-password/forgot-password-page.tsx'
export { LoginPage } from '../pages/login/login-page.tsx'
export { RegisterPage } from '../pages/register/register-page.tsx'
export { ResetPasswordPage } from '../pages/reset-password/reset-password-page.tsx'
export { VerifyEmailPage } from '../pages/verify-email/verify-email-page.tsx'
